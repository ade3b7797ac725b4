import { TenancyLine } from "./chain.panel.tsx";

/** What a company or a merchant has rented, on its own card. */
export default function FirmLine({ id }: { id: number }) {
  return <TenancyLine partyId={id} />;
}
