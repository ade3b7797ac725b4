import { useQuery } from "@tanstack/react-query";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { BlackBar } from "../renter/known.panel.tsx";
import { askForLead } from "../lead/acts.contract.ts";
import { checkLead } from "../lead/lead.contract.ts";
import "../record/record.css";

/** What is known of a phone as soon as it is whole: a colleague's lead, a registered renter, the black list. */
export function KnownPhone({ phone, own }: { phone: string | undefined; own?: string | undefined }) {
  const act = useAct();
  const whole = phone && phone !== own && /^1[3-9]\d{9}$/.test(phone) ? phone : undefined;
  const { data } = useQuery({
    ...ask(checkLead, { query: { phone: whole ?? "" } }),
    enabled: whole !== undefined,
    retry: false,
  });
  if (!whole) return null;
  const { live, renter } = data ?? {};
  return (
    <>
      {live && (
        <div className="notice s-orange" role="alert">
          <span className="grow">
            {live.ownerName
              ? `该客户已由${live.ownerName}跟进（${live.number}）`
              : `该客户已在公海（${live.number}），可直接领取`}
          </span>
          {live.ownerName && may(askForLead.needs) && (
            <Button
              size="sm"
              run={() => act(askForLead, { body: { phone: whole } }, { done: `已通知${live.ownerName}` })}
            >
              申请转移
            </Button>
          )}
        </div>
      )}
      {renter && !live && (
        <p className="notice s-blue">
          已登记租客：{renter.name}（{renter.phone}），保存后自动关联
        </p>
      )}
      <BlackBar typed={{ phone: whole }} />
    </>
  );
}
