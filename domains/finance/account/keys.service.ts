import { createPrivateKey, createPublicKey } from "node:crypto";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import type { z } from "zod";
import { forbidden, invalid, stale } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { confirmPassword } from "../../access/session/password.service.ts";
import { noteAccount } from "./edit.service.ts";
import type { keysBody } from "./keys.contract.ts";
import { extraKeysOf, KEY_TITLES, keysOf, wrongKeys, type KeyName } from "./keys.rules.ts";
import { hasField } from "./kind.rules.ts";
import { changeable } from "./scope.queries.ts";

/** Bare base64, as Alipay's tools write keys, or PEM. */
const der = (text: string) => Buffer.from(text.replaceAll(/-----[A-Z ]+-----|\s/g, ""), "base64");

/** The sentence of a key that is no key, or nothing. */
function unreadable(name: KeyName, text: string): string | undefined {
  const readers: Partial<Record<KeyName, (() => unknown)[]>> = {
    privateKey: [() => createPrivateKey(text)],
    wechatPublicKey: [() => createPublicKey(text)],
    appPrivateKey: (["pkcs8", "pkcs1"] as const).map(
      (type) => () => createPrivateKey({ key: der(text), format: "der", type }),
    ),
    alipayPublicKey: [() => createPublicKey({ key: der(text), format: "der", type: "spki" })],
  };
  const tries = readers[name];
  const reads = (read: () => unknown) => {
    try {
      read();
      return true;
    } catch {
      return false;
    }
  };
  return !tries || tries.some(reads) ? undefined : `${KEY_TITLES[name]}无法识别，请检查文件内容`;
}

/** Seals new keys over the old ones. What is logged is that it was done, and of which. */
export async function replaceKeys(act: Act, id: number, input: z.output<typeof keysBody>): Promise<void> {
  if (!act.who.permits.has("#10101")) throw forbidden();
  const { version, password, certExpiresOn, ...given } = input;
  const account = await changeable(act, id);
  const known = await act.tx
    .selectFrom("merchantKey")
    .select("name")
    .where("merchantAccountId", "=", id)
    .execute();
  const wrong = wrongKeys(account.kind, given, new Set(known.map((k) => k.name)));
  if (wrong.length) throw invalid(...wrong);
  const names = [...keysOf(account.kind), ...extraKeysOf(account.kind)].filter((name) => given[name]);
  const broken = names.flatMap((field) => {
    const msg = unreadable(field, given[field]!);
    return msg ? [{ field, msg }] : [];
  });
  if (broken.length) throw invalid(...broken);
  if (account.version !== version) throw stale();
  await confirmPassword(act, password);
  await act.tx
    .insertInto("merchantKey")
    .values(
      names.map((name) => ({
        merchantAccountId: id,
        name,
        sealed: act.cipher.seal(given[name]!),
        setAt: act.now.toISOString(),
        setBy: act.who.operatorId,
      })),
    )
    .onConflict((oc) =>
      oc.columns(["merchantAccountId", "name"]).doUpdateSet((eb) => ({
        sealed: eb.ref("excluded.sealed"),
        setAt: eb.ref("excluded.setAt"),
        setBy: eb.ref("excluded.setBy"),
      })),
    )
    .execute();
  const dated = hasField(account.kind, "certExpiresOn") && certExpiresOn;
  await act.tx
    .updateTable("merchantAccount")
    .set({ ...(dated && { certExpiresOn: dated }), version: NEXT_VERSION, ...stamp(act) })
    .where("id", "=", id)
    .execute();
  const titles = names.map((name) => KEY_TITLES[name]).join("、");
  await noteAccount(act, account, known.length ? "更换密钥" : "设置密钥", {
    summary: `${known.length ? "更换" : "设置"}${titles}`,
  });
}
