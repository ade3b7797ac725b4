/** Who brings contracts and supplements before their signers and closes the file. */
export const PROVIDERS = {
  embedded: ["内置", "grey"],
  esign: ["e签宝", "grey"],
} as const;
export type Provider = keyof typeof PROVIDERS;

/** Where e签宝 answers unless somebody enters another address, such as that of its sandbox. */
export const ESIGN_ENDPOINT = "https://openapi.esign.cn";

/** What a provider tells of a signing. */
export type Told = {
  state: "open" | "done" | "revoked" | "expired" | "refused";
  /** Why it ended, where it did not end well. */
  reason: string;
  /** When each party signed, in milliseconds, and from where, in their order; null = not yet. */
  parties: ({ at: number; ip: string } | null)[];
};

/** Of the flow at e签宝; a draft is not signed either. */
const STATES: Readonly<Record<number, Told["state"]>> = {
  0: "open",
  1: "open",
  2: "done",
  3: "revoked",
  5: "expired",
  7: "refused",
};
const SIGNED = 2;

export type EsignDetail = {
  signFlowStatus: number;
  signFlowDescription: string;
  signers: {
    signOrder: number;
    signStatus: number;
    signerIp: string;
    signFields: { statusUpdateTime: number | null }[];
  }[];
};

/** What the answer about a flow means, where the parties are the signers of those orders. Moments are milliseconds. */
export function toldOf(detail: EsignDetail, orders: readonly number[], now: number): Told {
  const state = STATES[detail.signFlowStatus];
  if (!state) throw new Error(`e签宝 tells of a state that is not known: ${detail.signFlowStatus}`);
  return {
    state,
    reason: state === "open" || state === "done" ? "" : detail.signFlowDescription.slice(0, 200),
    parties: orders.map((order) => signedAs(detail, order, now)),
  };
}

function signedAs({ signers }: EsignDetail, order: number, now: number): Told["parties"][number] {
  const party = signers.find((s) => s.signOrder === order);
  if (party?.signStatus !== SIGNED) return null;
  const signedAt = Math.max(0, ...party.signFields.map((field) => field.statusUpdateTime ?? 0));
  // a clock that is ahead of ours signs nothing in the future
  return { at: signedAt ? Math.min(signedAt, now) : now, ip: party.signerIp };
}

/** Minutes until it is tried again after so many times in vain. */
export const retryMinutes = (tries: number): number => Math.min(2 ** Math.max(0, tries - 1), 30);
