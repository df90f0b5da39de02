/**
 * Method names that every standard library has. On a receiver of unknown type such a name says nothing: the one `slice`
 * of a project is not what all arrays call. Uses of them are told as ambiguous, never as inferred.
 */
const ECMA = [
  Array,
  String,
  Map,
  Set,
  Promise,
  Object,
  Function,
  RegExp,
  Date,
  Number,
  Uint8Array,
  ArrayBuffer,
  Error,
  Symbol,
].flatMap((one) => [...Object.getOwnPropertyNames(one), ...Object.getOwnPropertyNames(one.prototype)]);

const EVERYWHERE =
  "get set put add push pop peek insert remove delete clear contains has includes find filter map reduce fold each forEach for_each " +
  "any all some none count len length size is_empty isEmpty empty first last take drop skip zip sort sorted sort_by reverse " +
  "join split trim strip replace format print println write read close open flush next iter into_iter collect clone copy equals eq hash hashCode " +
  "to_string toString String Error string str parse keys values items entries append extend update start stop run call apply bind then catch " +
  "unwrap expect ok err map_err and_then unwrap_or ok_or is_some is_none is_ok is_err as_ref as_mut as_str into from default new lock send recv " +
  "load save log info warn error debug begin end data name type id value key index at name init setup teardown exists match test exec";

const ALL: ReadonlySet<string> = new Set([...ECMA, ...EVERYWHERE.split(" ")]);

export function isCommonName(name: string): boolean {
  return ALL.has(name);
}
