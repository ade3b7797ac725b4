import type { Settings } from "../../../platform/server/process/settings.ts";
import type { Channel } from "./channel.queries.ts";
import type { ListingDocument } from "./listing.rules.ts";

/** What a channel answered. `answer` is kept in the log, at most 2,000 characters of it. */
export type Outcome = {
  ok: boolean;
  answer: string;
  outsideId?: string | undefined;
  outsideUrl?: string | undefined;
  views?: number | undefined;
};
export type Shown = { id: number; outsideId: string | null; document: ListingDocument };
export type Enquiry = { outsideId: string; roomId: number; name: string; phone: string; message: string };
export type Around = { settings: Settings; now: Date; pictureUrl: (fileId: number) => string };

/** How one kind of channel is spoken to. A new kind is one more of these and its settings in adapter.rules.ts. */
export type Adapter = {
  /** Nobody outside has to be asked: what is published stands at once. */
  direct: boolean;
  check: (channel: Channel, around: Around) => Promise<Outcome>;
  publish: (channel: Channel, shown: Shown, around: Around) => Promise<Outcome>;
  update: (channel: Channel, shown: Shown, around: Around) => Promise<Outcome>;
  withdraw: (channel: Channel, shown: Omit<Shown, "document">, around: Around) => Promise<Outcome>;
  /** Enquiries since a moment; an adapter that cannot answers none. */
  fetchLeads: (channel: Channel, since: string | null, around: Around) => Promise<Enquiry[]>;
};
