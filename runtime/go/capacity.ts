/** The room of Go's slices: `slice` may reach beyond the items, up to the capacity. */

/** runtime/sizeclasses.go: the sizes of the blocks that Go's allocator gives. */
const BLOCKS =
  /* @__PURE__ */ "8 16 24 32 48 64 80 96 112 128 144 160 176 192 208 224 240 256 288 320 352 384 416 448 480 512 576 640 704 768 896 1024 1152 1280 1408 1536 1792 2048 2304 2688 3072 3200 3456 4096 4864 5376 6144 6528 6784 6912 8192 9472 9728 10240 10880 12288 13568 14336 16384 18432 19072 20480 21760 24576 27264 28672 32768"
    .split(" ")
    .map(Number);
const PAGE = 8192;
/** Larger blocks begin with a header where they hold pointers, as all elements here do. */
const PLAIN_BLOCK = 512;
const HEADER = 8;
const LARGEST = 32768;
/** From this capacity on, runtime.nextslicecap grows by less than twice. */
const DOUBLING = 256;

function roundUp(bytes: number): number {
  if (bytes > LARGEST - HEADER) {
    return Math.ceil(bytes / PAGE) * PAGE;
  }
  const header = bytes > PLAIN_BLOCK ? HEADER : 0;
  return (BLOCKS.find((block) => block >= bytes + header) ?? LARGEST) - header;
}

/** The capacity of a slice of elements of `size` bytes that grew item by item (runtime.growslice). */
export function grownCapacity(length: number, size: number): number {
  let capacity = 0;
  while (capacity < length) {
    let wanted = capacity < 1 ? 1 : 2 * capacity;
    if (capacity >= DOUBLING) {
      wanted = capacity + Math.floor((capacity + 3 * DOUBLING) / 4);
    }
    capacity = Math.floor(roundUp(wanted * size) / size);
  }
  return capacity;
}

/** Where a slice stands in the array behind it. */
export interface Room<T> {
  /** The array as far as it was ever filled; zero values follow. */
  readonly array: readonly T[];
  readonly start: number;
  /** The places from `start` on. */
  readonly capacity: number;
}

/** A part of a slice that can be extended again over what follows it. */
export class Window<T> extends Array<T> {
  #room: Room<T> | undefined;

  /** What is made of a part (map, filter) is a list of its own. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  static over<T>(items: readonly T[], room: Room<T>): readonly T[] {
    if (room.capacity === items.length) {
      return items;
    }
    const window = new Window<T>();
    for (const item of items) {
      window.push(item);
    }
    window.#room = room;
    return window;
  }

  room(): Room<T> | undefined {
    return this.#room;
  }
}

/** The room of a part; undefined for a list that was never cut. */
export function roomOf<T>(list: readonly T[]): Room<T> | undefined;
export function roomOf(list: unknown): Room<unknown> | undefined;
export function roomOf(list: unknown): Room<unknown> | undefined {
  return list instanceof Window ? list.room() : undefined;
}
