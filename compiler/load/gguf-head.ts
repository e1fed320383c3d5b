/**
 * Reads the head of a GGUF file: its keys and their values. Lists are walked over, not read, and tensors not even that,
 * so a file of any size costs as much as the bytes of its vocabulary. The package @huggingface/gguf takes the missing
 * bytes of a cut file for zeros, shortens texts that pass its read-ahead, and decodes every token of the vocabulary.
 */
import { LoadError } from "./loaded.js";

/** A list in the file: where its elements start. */
export interface GgufList {
  readonly type: number;
  readonly count: number;
  readonly offset: number;
}

export type GgufValue = string | number | boolean | bigint | GgufList;

export interface GgufHead {
  readonly values: ReadonlyMap<string, GgufValue>;
  /** The elements at these places of a list of texts; undefined where the list has none. */
  readonly textsAt: (list: GgufList, places: readonly number[]) => readonly (string | undefined)[];
}

/** A file's bytes, which may be far too many to hold. */
export interface GgufBytes {
  /** Names the file in errors. */
  readonly file: string;
  readonly size: number;
  /** The bytes from an offset on: as many as are asked for, or fewer where the file has become shorter. */
  read(from: number, length: number): Uint8Array;
}

/** Reads a head; `textsAt` reads more of the bytes. Throws a LoadError where they are not a head. */
export function readGgufHead(bytes: GgufBytes): GgufHead {
  const reader = new Reader(bytes);
  const values = readHead(reader);
  return { values, textsAt: (list, places) => textsAt(reader, list, places) };
}

const MAGIC = "GGUF";
const VERSIONS = [1, 2, 3];
/** Far above what any model has, and low enough that a lying count ends soon: elements and texts are those of all keys. */
const MOST = { keys: 100_000, elements: 10_000_000, textBytes: 64 * 2 ** 20, nesting: 4 };

const TYPE = { bool: 7, text: 8, list: 9 };

/** docs/gguf.md of ggml: the types of one size, by their number. */
const FIXED: ReadonlyMap<
  number,
  readonly [bytes: number, read: (view: DataView, little: boolean) => number | bigint]
> = new Map([
  [0, [1, (view) => view.getUint8(0)]],
  [1, [1, (view) => view.getInt8(0)]],
  [2, [2, (view, little) => view.getUint16(0, little)]],
  [3, [2, (view, little) => view.getInt16(0, little)]],
  [4, [4, (view, little) => view.getUint32(0, little)]],
  [5, [4, (view, little) => view.getInt32(0, little)]],
  [6, [4, (view, little) => view.getFloat32(0, little)]],
  [TYPE.bool, [1, (view) => view.getUint8(0)]],
  [10, [8, (view, little) => view.getBigUint64(0, little)]],
  [11, [8, (view, little) => view.getBigInt64(0, little)]],
  [12, [8, (view, little) => view.getFloat64(0, little)]],
]);

/** The version's number tells the order of bytes: big-endian files exist since version 3. */
function readHead(reader: Reader): ReadonlyMap<string, GgufValue> {
  if (reader.size < 4 || new TextDecoder("latin1").decode(reader.bytes(4)) !== MAGIC)
    reader.fail("is not a GGUF file");
  const version = reader.version();
  if (!VERSIONS.includes(version)) reader.fail(`is GGUF of the unknown version ${String(version)}`);
  reader.length(); // the number of tensors, which are not read
  const count = reader.length();
  if (count > MOST.keys) reader.fail(`claims to have ${String(count)} keys`);
  const values = new Map<string, GgufValue>();
  for (let at = 0; at < count; at++) {
    const key = reader.text("a key");
    if (values.has(key)) reader.fail(`has the key ${key} twice`);
    values.set(key, readValue(reader, key));
  }
  return values;
}

function readValue(reader: Reader, key: string): GgufValue {
  const type = reader.number(4);
  if (type === TYPE.text) return reader.text(key);
  if (type === TYPE.list) return skipList(reader, key, 1);
  const fixed = FIXED.get(type);
  if (fixed === undefined) return reader.fail(`${key} has the unknown type ${String(type)}`);
  const value = fixed[1](reader.view(fixed[0]), reader.little);
  return type === TYPE.bool ? value !== 0 : value;
}

function skipList(reader: Reader, key: string, depth: number): GgufList {
  const type = reader.number(4);
  const count = reader.length();
  const offset = reader.offset;
  const fixed = FIXED.get(type);
  if (fixed !== undefined) {
    reader.skip(count * fixed[0]);
    return { type, count, offset };
  }
  reader.elements += count;
  if (reader.elements > MOST.elements)
    reader.fail(`${key} claims to have ${String(count)} elements`);
  if (depth > MOST.nesting || (type !== TYPE.text && type !== TYPE.list))
    reader.fail(`${key} has elements of the unknown type ${String(type)}`);
  for (let at = 0; at < count; at++) {
    if (type === TYPE.text) reader.skip(reader.length());
    else skipList(reader, key, depth + 1);
  }
  return { type, count, offset };
}

function textsAt(
  reader: Reader,
  list: GgufList,
  places: readonly number[],
): readonly (string | undefined)[] {
  const found = new Map<number, string>();
  if (list.type !== TYPE.text) return [];
  reader.seek(list.offset);
  const last = Math.min(Math.max(...places), list.count - 1);
  for (let at = 0; at <= last; at++) {
    if (places.includes(at)) found.set(at, reader.text("a token"));
    else reader.skip(reader.length());
  }
  return places.map((place) => found.get(place));
}

const WINDOW_BYTES = 2 ** 20;

/** Moves through the file and holds one window of it. */
class Reader {
  readonly size: number;
  little = true;
  offset = 0;
  /** The elements of all lists so far. */
  elements = 0;
  /** The bytes of all texts so far. */
  #textBytes = 0;
  readonly #source: GgufBytes;
  /** Version 1 writes lengths in four bytes. */
  #lengthBytes = 8;
  #window: Uint8Array = new Uint8Array();
  #start = 0;

  constructor(source: GgufBytes) {
    this.#source = source;
    this.size = source.size;
  }

  fail(message: string): never {
    throw new LoadError(this.#source.file, message);
  }

  version(): number {
    const view = this.view(4);
    this.little = (view.getUint32(0, true) & 0xffff) !== 0;
    const version = view.getUint32(0, this.little);
    if (version === 1) this.#lengthBytes = 4;
    return version;
  }

  /** A length or a count. */
  length(): number {
    return this.number(this.#lengthBytes);
  }

  /** An unsigned number; past 2^53 not exact, which is past the end of any file. */
  number(bytes: number): number {
    const view = this.view(bytes);
    return bytes === 4 ? view.getUint32(0, this.little) : Number(view.getBigUint64(0, this.little));
  }

  text(what: string): string {
    const length = this.length();
    this.#textBytes += length;
    if (this.#textBytes > MOST.textBytes)
      this.fail(`${what} claims to have ${String(length)} bytes`);
    try {
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      return decoder.decode(this.bytes(length));
    } catch (error) {
      throw error instanceof LoadError ? error : this.fail(`${what} is not valid UTF-8`);
    }
  }

  view(length: number): DataView {
    const bytes = this.bytes(length);
    return new DataView(bytes.buffer, bytes.byteOffset, length);
  }

  bytes(length: number): Uint8Array {
    const from = this.offset;
    this.skip(length);
    const end = this.#start + this.#window.byteLength;
    if (from < this.#start || from + length > end) this.#fill(from, length);
    return this.#window.subarray(from - this.#start, from - this.#start + length);
  }

  skip(length: number): void {
    if (this.offset + length > this.size)
      this.fail("is cut off within its head, or a length in it is wrong");
    this.offset += length;
  }

  seek(offset: number): void {
    this.offset = offset;
  }

  #fill(from: number, length: number): void {
    const wanted = Math.min(Math.max(length, WINDOW_BYTES), this.size - from);
    const window = this.#source.read(from, wanted);
    if (window.byteLength < length) this.fail("is cut off within its head");
    this.#window = window;
    this.#start = from;
  }
}
