import type { Words } from "./field.ts";
import { moves } from "./moves.ts";

/** States of a record that is switched off and on again and knows no others. */
export const SWITCHED = {
  enabled: ["启用", "green"],
  disabled: ["停用", "grey"],
} as const satisfies Words;
export type Switched = keyof typeof SWITCHED;

export const switchMoves = moves<Switched, object>({ enabled: "启用", disabled: "停用" })({
  enable: { label: "启用", from: ["disabled"], to: "enabled" },
  disable: { label: "停用", from: ["enabled"], to: "disabled" },
});
