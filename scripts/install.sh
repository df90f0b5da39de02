#!/bin/sh
# Installs tokenix into a folder of your own. Needs curl or wget, and gzip or zstd. Never needs root, asks nothing, and
# leaves nothing behind when something fails.
#
#   TOKENIX_VERSION       a release such as v0.2.0 (default: the newest)
#   TOKENIX_INSTALL_DIR   where to put it (default: ~/.local/bin)
#   TOKENIX_MIRROR        another place that serves the releases (https, or http on this machine)
#   TOKENIX_MODIFY_PATH   1 adds the folder to PATH in your shell's profile
set -eu

# One block, so that nothing runs when the download of this very script breaks off.
{

repository="tokenix/tokenix"
folder="${TOKENIX_INSTALL_DIR:-${HOME:?HOME is not set}/.local/bin}"
version="${TOKENIX_VERSION:-latest}"
mirror="${TOKENIX_MIRROR:-}"

fail() {
  printf 'tokenix install: %s\n' "$1" >&2
  [ -n "${2:-}" ] && printf '  %s\n' "$2" >&2
  exit 1
}

case "$mirror" in
  "" | https://*) ;;
  http://127.0.0.1 | http://127.0.0.1[:/]* | http://localhost | http://localhost[:/]* | "http://[::1]" | "http://[::1]"[:/]*) ;;
  *) fail "TOKENIX_MIRROR is '$mirror'" "it must begin with https:// (http:// only for this machine)" ;;
esac
mirror="${mirror%/}"
case "$version" in
  *[!A-Za-z0-9.+-]*) fail "TOKENIX_VERSION is '$version'" "a release is called like v0.2.0" ;;
  [0-9]*) version="v$version" ;;
esac
case "$folder" in
  /*) ;;
  *) folder="$PWD/$folder" ;;
esac

case "$(uname -s)" in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) fail "no release is built for $(uname -s)" "on Windows use install.ps1; elsewhere build it from source" ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) cpu=x64 ;;
  arm64 | aarch64) cpu=arm64 ;;
  *) fail "no release is built for $(uname -m)" "build it from source: bun run build" ;;
esac
# Under Rosetta a shell calls itself x86_64 on an ARM machine.
if [ "$system" = darwin ] && [ "$cpu" = x64 ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" = 1 ]; then
  cpu=arm64
fi
libc=""
if [ "$system" = linux ] && ! ls /lib64/ld-linux* /lib/ld-linux* >/dev/null 2>&1 && ls /lib/ld-musl-* >/dev/null 2>&1; then
  [ "$cpu" = x64 ] || fail "no release is built for musl on $cpu" "build it from source: bun run build"
  libc="-musl"
fi
program="tokenix-$system-$cpu$libc"

if command -v curl >/dev/null 2>&1; then
  # A mirror on this machine may be plain HTTP; from the network only HTTPS is taken, redirects included.
  case "$mirror" in http://*) protocols="=http" ;; *) protocols="=https" ;; esac
  fetch() { curl --proto "$protocols" --proto-redir "$protocols" -fsSL --retry 2 --retry-delay 1 --max-time 600 -o "$2" "$1"; }
elif command -v wget >/dev/null 2>&1; then
  fetch() { wget -q -T 600 -O "$2" "$1"; }
else
  fail "neither curl nor wget is here" "install one of them"
fi
if command -v sha256sum >/dev/null 2>&1; then
  hash_of() { sha256sum "$1" | cut -d ' ' -f 1; }
elif command -v shasum >/dev/null 2>&1; then
  hash_of() { shasum -a 256 "$1" | cut -d ' ' -f 1; }
elif command -v openssl >/dev/null 2>&1; then
  hash_of() { openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1; }
else
  fail "no tool for SHA-256 is here (sha256sum, shasum, openssl)" "nothing unchecked is installed"
fi

if [ -n "$mirror" ]; then
  base="$mirror/download/$version"
elif [ "$version" = latest ]; then
  base="https://github.com/$repository/releases/latest/download"
else
  base="https://github.com/$repository/releases/download/$version"
fi

scratch="$(mktemp -d "${TMPDIR:-/tmp}/tokenix-install.XXXXXX")"
next=""
made=""
clean() {
  rm -rf "$scratch"
  if [ -n "$next" ]; then rm -f "$next"; fi
  # The folders that were made here, from the innermost up to the first one.
  at="$folder"
  while [ -n "$made" ]; do
    rmdir "$at" 2>/dev/null || true
    if [ "$at" = "$made" ]; then made=""; else at="$(dirname "$at")"; fi
  done
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

if [ -n "$mirror" ] && [ "$version" = latest ]; then
  fetch "$mirror/latest.json" "$scratch/latest.json" || fail "$mirror/latest.json could not be fetched"
  version="$(sed -n 's/.*"tag_name" *: *"\([A-Za-z0-9.+-]*\)".*/\1/p' "$scratch/latest.json" | head -n 1)"
  [ -n "$version" ] || fail "$mirror/latest.json names no release"
  base="$mirror/download/$version"
fi

fetch "$base/sha256sums.txt" "$scratch/sha256sums.txt" ||
  fail "the checksums of release '$version' could not be fetched" "is the version right, and is there a network?"
hash_in_list() { awk -v name="$1" '$2 == name || $2 == "*" name { print $1; exit }' "$scratch/sha256sums.txt"; }

# Every release has a form that any machine unpacks, and one in zstd that is an eighth smaller.
asset="$program.gz"
if command -v zstd >/dev/null 2>&1 && [ -n "$(hash_in_list "$program.zst")" ]; then
  asset="$program.zst"
  unpack() { zstd -dcq "$1"; }
elif command -v gzip >/dev/null 2>&1; then
  unpack() { gzip -dc "$1"; }
else
  fail "neither gzip nor zstd is here" "install one of them"
fi
wanted="$(hash_in_list "$asset")"
[ -n "$wanted" ] || fail "the checksum list does not name $asset"
fetch "$base/$asset" "$scratch/$asset" ||
  fail "$asset of release '$version' could not be fetched" "is there a network, and room in ${TMPDIR:-/tmp}?"
found="$(hash_of "$scratch/$asset")"
[ "$found" = "$wanted" ] || fail "$asset has the wrong SHA-256 ($found, wanted $wanted)" "nothing was installed"

if [ ! -d "$folder" ]; then
  made="$folder"
  while [ ! -d "$(dirname "$made")" ]; do made="$(dirname "$made")"; done
  mkdir -p "$folder" || fail "$folder can't be made" "name another one: TOKENIX_INSTALL_DIR=…"
fi
# What an installation that was killed has left.
for left in "$folder"/.tokenix-install-*; do
  if [ -f "$left" ] && ! kill -0 "${left##*-}" 2>/dev/null; then rm -f "$left"; fi
done
next="$folder/.tokenix-install-$$"
if ! unpack "$scratch/$asset" >"$next" || ! chmod 755 "$next" || ! "$next" --version >/dev/null; then
  hint="nothing was installed; is the disk full?"
  if [ -n "$libc" ]; then hint="$hint On Alpine it needs: apk add libstdc++"; fi
  fail "tokenix could not be put into $folder, or does not start here" "$hint"
fi
mv -f "$next" "$folder/tokenix"
next=""
made=""
printf 'installed %s in %s\n' "$("$folder/tokenix" --version)" "$folder"

case ":${PATH:-}:" in
  *":$folder:"*) ;;
  *)
    if [ "${TOKENIX_MODIFY_PATH:-0}" = 1 ]; then
      case "${SHELL:-}" in
        */zsh) profile="${ZDOTDIR:-$HOME}/.zshrc" ;;
        */fish) profile="$HOME/.config/fish/conf.d/tokenix.fish" ;;
        *) profile="$HOME/.profile" ;;
      esac
      mkdir -p "$(dirname "$profile")"
      case "$profile" in
        *.fish) line="fish_add_path '$folder'" ;;
        *) line="export PATH=\"$folder:\$PATH\"" ;;
      esac
      grep -qsF "$line" "$profile" || printf '\n# added by the tokenix installer\n%s\n' "$line" >>"$profile"
      printf 'added it to PATH in %s; open a new shell\n' "$profile"
    else
      # shellcheck disable=SC2016 # $PATH is for the reader's shell
      printf 'it is not on your PATH; add it, or run the installer with TOKENIX_MODIFY_PATH=1:\n  export PATH="%s:$PATH"\n' "$folder"
    fi
    ;;
esac

}
