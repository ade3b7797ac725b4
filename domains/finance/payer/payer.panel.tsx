import type { Source } from "../../../platform/kernel/filter.ts";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import { PARTY_PAGE } from "../bill/bill.rules.ts";
import { PAYERS } from "./payer.contract.ts";

/** Whoever can be billed, by name, phone or room; what is new is not written for a merged record. */
export const payerSource = (villageId?: number, standing?: boolean): Source => ({
  ...PAYERS,
  query: { ...PAYERS.query, villageIds: villageId, ...(standing && { standing: "1" }) },
});

export const PayerSelect = ({
  villageId,
  standing,
  ...props
}: InputProps<number> & { villageId?: number | undefined; label?: string; standing?: boolean }) => (
  <RecordSelect
    {...props}
    placeholder={props.placeholder ?? "姓名、手机号、房间"}
    source={payerSource(villageId, standing)}
  />
);

/** The page of a party; suppliers and passers-by have none. */
export const partyPath = (kind: string | null, id: number | null): string | undefined => {
  const page = PARTY_PAGE[kind ?? ""];
  return page && id !== null ? reach(page, { id }) : undefined;
};
