import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { smsLink } from "../../access/sms/sms.service.ts";
import { accountOf } from "../provider/provider.service.ts";
import { signingOutside } from "./esign.contract.ts";
import { linkText, nextSigner, paperName } from "./esign.rules.ts";
import type { Flow, Signer } from "./flow.queries.ts";
import { issueKey, revokeKeys } from "./link.service.ts";
import { partyOf, signerOf, subjectOf } from "./subject.service.ts";

/** A link as it goes to a signer. */
export type SentLink = { name: string; phone: string; path: string };

/** What brings a document before its signers. What they do there comes back through the acts on the signing. */
export type SigningDriver = {
  /** The links are sent after the commit, once the provider has taken the document; the seal is set there, too. */
  later: boolean;
  /** Sends whose turn it is a link; those before lead nowhere any more. */
  send: (act: Act, flow: Flow, signers: readonly Signer[]) => Promise<SentLink[]>;
  /** Takes the links back. */
  revoke: (act: Act, flow: Pick<Flow, "id">) => Promise<void>;
};

export const addressOf = ({ settings }: Act, path: string) =>
  `${settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}`}${path}`;

/** The text message that brings a link to whoever signs. */
export async function textLink(act: Act, flow: Flow, signer: Signer, link: string): Promise<void> {
  const { partyId } = await partyOf(act, await subjectOf(act, flow), signer);
  const hours = Math.max(1, Math.round((new Date(flow.deadline).getTime() - act.now.getTime()) / 3_600_000));
  await smsLink(
    act,
    {
      recipient: signer.phone,
      body: linkText(flow.enterprise, paperName(flow.docKind), "••••••", hours),
      sourceId: flow.id,
      ...(partyId && { partyId }),
      villageId: flow.villageId,
      enterpriseId: flow.enterpriseId,
    },
    {
      enterprise: flow.enterprise,
      name: `${paperName(flow.docKind)}签署`,
      link,
      hours,
    },
  );
}

/** Whoever is to sign, as the party is known by now: a phone that was corrected gets the link. One that lacks something stays as it was. */
async function asKnown(act: Act, flow: Flow, signer: Signer): Promise<Signer> {
  try {
    const known = await signerOf(act, await partyOf(act, await subjectOf(act, flow), signer));
    await act.tx.updateTable("signSigner").set(known).where("id", "=", signer.id).execute();
    return { ...signer, ...known };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return signer;
  }
}

/** The product's own: a page outside the console, reached by a one-time link in a text message. */
const embedded: SigningDriver = {
  later: false,
  revoke: (act, flow) => revokeKeys(act, flow.id),
  async send(act, flow, signers) {
    await revokeKeys(act, flow.id);
    const next = nextSigner(signers);
    if (!next) return [];
    const signer = await asKnown(act, flow, next);
    const code = await issueKey(act, signer.id, "link", new Date(flow.deadline));
    const path = `/esign/s/${code}`;
    await textLink(act, flow, signer, addressOf(act, path));
    return [{ name: signer.name, phone: signer.phone, path }];
  },
};

/**
 * An outside provider: nothing is sent to it inside a transaction. What is to be done there is written down, and a job does
 * it after the commit.
 */
const outside: SigningDriver = {
  later: true,
  async send(act, flow) {
    const account = await accountOf(act, flow);
    if (!account)
      throw new Refusal(
        "notAllowed",
        "未设置e签宝的应用ID和密钥，请在“合同配置”的签署设置中设置后再发起电子签署",
        409,
      );
    const due = { linkDue: true, nextAt: act.now.toISOString() };
    await act.tx
      .insertInto("signOutside")
      .values({ flowId: flow.id, accountId: account.id, ...due })
      .onConflict((oc) => oc.column("flowId").doUpdateSet({ ...due, tries: 0 }))
      .execute();
    await act.emit(signingOutside, { flowId: flow.id });
    return [];
  },
  async revoke(act, flow) {
    await act.tx
      .updateTable("signOutside")
      .set({ nextAt: act.now.toISOString(), tries: 0 })
      .where("flowId", "=", flow.id)
      .where("over", "=", false)
      .execute();
    await act.emit(signingOutside, { flowId: flow.id });
  },
};

const DRIVERS: Readonly<Record<string, SigningDriver>> = { embedded, esign: outside };

export function driverOf(provider: string): SigningDriver {
  const driver = DRIVERS[provider];
  if (!driver) throw new Error(`There is no signing provider ${provider}.`);
  return driver;
}
