import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { filled, smsParts, type Channel, type Variable } from "../../system/template/template.rules.ts";
import { receiversOf, type Receiver } from "./audience-filter.queries.ts";
import type { Audience } from "./push-input.contract.ts";
import { MOST, textFor, type Category, type Skip } from "./push.rules.ts";

/** One message to one receiver by one way; `skip` says why it is not sent. */
export type Planned = {
  receiver: Receiver;
  channel: Channel;
  address: string;
  text: string;
  values: Partial<Record<Variable, string>>;
  parts: number;
  skip: Skip | null;
};

export type Said = { category: Category; channels: readonly Channel[]; body: string };

/** Those who do not want advertising, by the hash of number or address. */
export async function optedOut(read: Read, enterpriseId: number): Promise<ReadonlySet<string>> {
  const rows = await read.tx
    .selectFrom("pushOptOut")
    .select("addressHash")
    .where("enterpriseId", "=", enterpriseId)
    .execute();
  return new Set(rows.map((row) => row.addressHash.toString("hex")));
}

/** What would be sent to whom, as things stand now: one line per receiver and way. */
export async function plan(
  read: Read,
  enterpriseId: number,
  audience: Audience,
  { category, channels, body }: Said,
): Promise<Planned[]> {
  const advertising = category === "marketing";
  const out = advertising ? await optedOut(read, enterpriseId) : new Set<string>();
  const { productTitle } = await brandOf(read.settings.BRAND);
  const skipOf = (receiver: Receiver, channel: Channel, address: string): Skip | null => {
    if (advertising && receiver.black) return "black";
    if (channel === "inApp") return null;
    if (!address) return channel === "sms" ? "noAddress" : "noEmail";
    return out.size && out.has(read.cipher.hash(address).toString("hex")) ? "optedOut" : null;
  };
  const receivers = await receiversOf(read, audience, MOST);
  return receivers.flatMap((receiver) => {
    const values = { ...receiver.values, 品牌: productTitle };
    const text = textFor(category, filled(body, values));
    return channels.map((channel) => {
      const address = channel === "sms" ? receiver.phone : channel === "email" ? receiver.email : "";
      const skip = skipOf(receiver, channel, address);
      const parts = channel === "sms" && !skip ? smsParts(text, productTitle) : 0;
      return { receiver, channel, address, text, values, parts, skip };
    });
  });
}

export const countsOf = (planned: readonly Planned[]) => ({
  people: new Set(planned.filter((p) => !p.skip).map((p) => p.receiver.id)).size,
  messages: planned.filter((p) => !p.skip).length,
  parts: planned.reduce((sum, p) => sum + p.parts, 0),
});
