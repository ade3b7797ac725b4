export type Powers = { superType: string; villages: readonly number[]; permits: ReadonlySet<string> };

export type Grant = {
  superType: string;
  allVillages: boolean;
  villageIds: readonly number[];
  /** Every permit that the roles to be given hold. */
  permits: readonly string[];
};

export const BEYOND = "不能授予超出自身的权限";
/** The same of what a role has already: nobody takes away what they do not have. */
export const BEYOND_TAKING = "不能收回超出自身的权限";

/** A page or menu alone opens nothing: it comes with its actions, so only those are weighed. */
const weighs = (permit: string) => permit.includes(".") || permit.startsWith("#");

/** Nobody gives away what they do not have; only who runs the platform makes others administrators. */
export function mayGrant(by: Powers, grant: Grant): boolean {
  if (by.superType === "0") return true;
  if (grant.superType) return false;
  return by.superType === "1" || within(by, grant);
}

function within(by: Powers, grant: Grant): boolean {
  if (grant.allVillages) return false;
  const villages = new Set(by.villages);
  return (
    grant.villageIds.every((v) => villages.has(v)) &&
    grant.permits.every((p) => !weighs(p) || by.permits.has(p))
  );
}

/**
 * Who may act on somebody's account: nobody reaches above themselves, for whoever sets a password could come in with it.
 */
export function mayManage(by: Powers, target: Grant): boolean {
  if (by.superType === "0") return true;
  if (target.superType === "0") return false;
  return by.superType === "1" || (target.superType === "" && within(by, target));
}

export const ABOVE = "该员工的权限超出您的权限，不能操作";

/** What one set has more than another. */
export const beyond = <T>(after: Iterable<T>, before: Iterable<T>): T[] => {
  const known = new Set(before);
  return [...new Set(after)].filter((one) => !known.has(one));
};
