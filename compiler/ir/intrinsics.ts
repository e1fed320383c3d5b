/**
 * The intrinsic table: each rule of a dialect by its name, what passes may believe about it, and the runtime function
 * that carries it out. A pass may drop, fold or reorder only what this table says is pure and cannot throw.
 */
import { goIntrinsics } from "./go-intrinsics.js";
import { jinjaIntrinsics } from "./jinja-intrinsics.js";
import { limitIntrinsics } from "./limit-intrinsics.js";
import { segmentIntrinsics } from "./segment-intrinsics.js";
import type { Intrinsic } from "./intrinsic.js";

const table = {
  ...jinjaIntrinsics,
  ...goIntrinsics,
  ...limitIntrinsics,
  ...segmentIntrinsics,
};

export type IntrinsicName = keyof typeof table;

export const intrinsics: Readonly<Record<IntrinsicName, Intrinsic>> = table;

/** The name of the runtime's export that carries the rule out. */
export function runtimeName(name: IntrinsicName): string {
  return intrinsics[name].runtime ?? name.slice(name.indexOf(".") + 1);
}

export type { Intrinsic, UndefinedUse } from "./intrinsic.js";
