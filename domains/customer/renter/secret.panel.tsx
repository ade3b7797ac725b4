import { send } from "../../../platform/console/request.ts";
import { Masked } from "../reveal/masked.panel.tsx";
import { revealRenter, type REVEALABLE } from "./acts.contract.ts";

type Props = {
  id: number;
  field: (typeof REVEALABLE)[number];
  title: string;
  masked: string | null;
};

/** A number of a renter that is masked. */
export const Secret = ({ id, field, title, masked }: Props) => (
  <Masked
    title={title}
    masked={masked}
    need="#1601"
    reveal={async (reason) => (await send(revealRenter, { params: { id }, body: { field, reason } })).value}
  />
);
