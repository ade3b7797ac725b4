import { send } from "../../../platform/console/calls/request.ts";
import { SecretText } from "../record/secret.panel.tsx";
import { revealRenter, type REVEALABLE } from "./acts.contract.ts";

type Props = {
  id: number;
  field: (typeof REVEALABLE)[number];
  title: string;
  masked: string | null;
};

/** A number of a renter that is masked until whoever may look says why. */
export const Secret = ({ id, field, title, masked }: Props) => (
  <SecretText
    title={title}
    masked={masked}
    need={revealRenter.needs}
    reveal={(reason) => send(revealRenter, { params: { id }, body: { field, reason } })}
  />
);
