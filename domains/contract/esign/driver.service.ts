import type { Act } from "../../../platform/server/pipeline/act.ts";
import { sendOut } from "../../access/sms/sms.service.ts";
import { FREE_TEXT } from "../../../platform/server/outside/sms.ts";
import { linkText } from "./esign.rules.ts";
import type { Flow, Signer } from "./flow.queries.ts";
import { issueKey, revokeKeys } from "./link.service.ts";

/** A link as it goes to a signer. */
export type SentLink = { name: string; phone: string; path: string };

/** What brings a document before its signers. What they do there comes back through the acts on the signing. */
export type SigningDriver = {
  /** Sends every signer of the party a link; those before lead nowhere any more. */
  send: (act: Act, flow: Flow, signers: readonly Signer[]) => Promise<SentLink[]>;
  /** Takes the links back. */
  revoke: (act: Act, flow: Pick<Flow, "id">) => Promise<void>;
};

export const addressOf = ({ settings }: Act, path: string) =>
  `${settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}`}${path}`;

/** The product's own: a page outside the console, reached by a one-time link in a text message. */
const embedded: SigningDriver = {
  revoke: (act, flow) => revokeKeys(act, flow.id),
  async send(act, flow, signers) {
    await revokeKeys(act, flow.id);
    const links: SentLink[] = [];
    for (const signer of signers) {
      if (signer.role === "enterprise" || signer.state === "signed") continue;
      const code = await issueKey(act, signer.id, "link", new Date(flow.deadline));
      const path = `/esign/s/${code}`;
      const hours = Math.max(
        1,
        Math.round((new Date(flow.deadline).getTime() - act.now.getTime()) / 3_600_000),
      );
      await sendOut(act, [
        {
          channel: "sms",
          recipient: signer.phone,
          body: linkText(flow.enterprise, "••••••", hours),
          template: act.settings.SMS_LINK_TEMPLATE ?? FREE_TEXT,
          params: {
            enterprise: flow.enterprise,
            name: "租赁合同签署",
            link: addressOf(act, path),
            hours: String(hours),
          },
          source: "notice",
          sourceId: flow.id,
          villageId: flow.villageId,
          enterpriseId: flow.enterpriseId,
        },
      ]);
      links.push({ name: signer.name, phone: signer.phone, path });
    }
    return links;
  },
};

const DRIVERS: Readonly<Record<string, SigningDriver>> = { embedded };

export function driverOf(provider: string): SigningDriver {
  const driver = DRIVERS[provider];
  if (!driver) throw new Error(`There is no signing provider ${provider}.`);
  return driver;
}
