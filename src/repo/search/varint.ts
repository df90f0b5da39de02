/** A growable byte buffer that writes unsigned LEB128 integers; postings are made of nothing else. */
export class ByteWriter {
  private bytes: Uint8Array;
  private used = 0;

  constructor(capacity = 64) {
    this.bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.used;
  }

  varint(value: number): void {
    if (this.used + 5 > this.bytes.length) this.grow(this.used + 5);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.used++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.used++] = rest;
  }

  /** What has been written, until the next write or reset. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.used);
  }

  /** A copy of bytes `from` to the end. */
  slice(from = 0): Uint8Array {
    return this.bytes.slice(from, this.used);
  }

  reset(): void {
    this.used = 0;
  }

  private grow(needed: number): void {
    const wider = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    wider.set(this.bytes);
    this.bytes = wider;
  }
}
