import { allows, type Need } from "../../kernel/call.ts";
import type { Screen } from "../screens/screen.ts";
import type { Operator } from "./session.ts";

/** The set that kernel `allows` reads: `9.add` for actions, `#901` for authority codes, `9` for the page itself, `super`. */
export function permitsOf(operator: Pick<Operator, "role" | "authorities" | "superType">): Set<string> {
  if (!Array.isArray(operator.role?.permissions))
    throw new TypeError("getInfo: roles must be a non-null array!");
  const permits = new Set<string>();
  for (const { permissionId, actionEntitySet } of operator.role.permissions) {
    permits.add(String(permissionId));
    for (const { action } of actionEntitySet ?? []) permits.add(`${permissionId}.${action}`);
  }
  for (const code of operator.authorities) permits.add(`#${code}`);
  if (operator.superType === "0") permits.add("super");
  return permits;
}

let current: ReadonlySet<string> = new Set();

/** Set once by the shell, before any page is shown. */
export const setPermits = (permits: ReadonlySet<string>): void => {
  current = permits;
};

/** May the signed-in operator do this? The server asks again. */
export const may = (need: Need | undefined): boolean => need === undefined || allows(current, need);
export const mayOpen = ({ codes, platform }: Pick<Screen, "codes" | "platform">): boolean =>
  (!platform || may("super")) && (codes.length === 0 || codes.some((code) => current.has(String(code))));
