import type { FormState } from "../../../platform/console/form/form-state.ts";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import {
  type SettingKey,
  BILLING_DEFAULTS,
  SETTING_KEYS,
  SETTING_ORIGINS,
} from "../setting/setting.rules.ts";
import { type Editing, type Setting } from "../setting/setting.contract.ts";

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export type Owners = ReturnType<typeof useOwners>;

/** Whose value each field has while the form is open: the owner's own, or that of the layer below. */
export function useOwners(setting: Setting, state: FormState<Editing>) {
  const village = setting.villageId !== null;
  const { follow = [], taken = [] } = state.values;
  const own = village ? "village" : "enterprise";
  const below = village ? setting.general : BILLING_DEFAULTS;
  const owned = (key: SettingKey) => setting.origins[key] === own;
  /** A field that was given back and then typed in again is the owner's own. */
  const gives = (values: Partial<Editing>, key: SettingKey) =>
    owned(key) && (values.follow ?? []).includes(key) && same(values[key], below[key]);
  const changed = (values: Partial<Editing>) => {
    const keys = SETTING_KEYS.filter(
      (key) =>
        !gives(values, key) &&
        ((values.taken ?? []).includes(key) || !same(values[key], setting.values[key])),
    );
    return {
      ...Object.fromEntries(keys.map((key) => [key, values[key]])),
      follow: SETTING_KEYS.filter((key) => gives(values, key)),
    };
  };
  return {
    village,
    changed,
    any: (values: Partial<Editing>) => {
      const { follow: back, ...set } = changed(values);
      return back.length > 0 || Object.keys(set).length > 0;
    },
    /** Shown and not to be typed in: a village's field that is its enterprise's. */
    follows: (key: SettingKey) => village && !taken.includes(key) && (!owned(key) || follow.includes(key)),
    origin: (key: SettingKey) =>
      follow.includes(key)
        ? village
          ? "enterprise"
          : "product"
        : taken.includes(key)
          ? own
          : setting.origins[key],
    owned: (key: SettingKey) => taken.includes(key) || (owned(key) && !follow.includes(key)),
    take: (key: SettingKey) => {
      state.set(
        "follow",
        follow.filter((k) => k !== key),
      );
      state.set("taken", [...taken, key]);
    },
    giveBack: (key: SettingKey) => {
      state.set(
        "taken",
        taken.filter((k) => k !== key),
      );
      if (owned(key)) state.set("follow", [...follow, key]);
      state.set(key, below[key]);
    },
  };
}

/** Under a field: whose value it is, and the way to make it one's own or to give it back. */
export function Origin({ name, owners, readOnly }: { name: SettingKey; owners: Owners; readOnly: boolean }) {
  const { village } = owners;
  return (
    <>
      <WordTag words={SETTING_ORIGINS} code={owners.origin(name)} dot={false} />
      {!readOnly && village && owners.follows(name) && (
        <button type="button" className="linkish" onClick={() => owners.take(name)}>
          单独设置
        </button>
      )}
      {!readOnly && owners.owned(name) && (
        <button type="button" className="linkish" onClick={() => owners.giveBack(name)}>
          {village ? "沿用企业设置" : "恢复产品默认"}
        </button>
      )}
    </>
  );
}
