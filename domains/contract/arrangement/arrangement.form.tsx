import { ChoiceInput, NumberInput } from "../../../platform/console/inputs/inputs.tsx";
import { Ordered } from "../../../platform/console/inputs/ordered.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { greys } from "../../../platform/kernel/words.ts";
import { LINK_HOURS } from "../config/sign.contract.ts";
import type { contractArrangement } from "./arrangement.contract.ts";
import { ROLES, type SignerRole, wrongOrder } from "../config/sign.rules.ts";

export type Offered = Reply<typeof contractArrangement>;
/** What stands in the fields of the signing: as the store signs, until somebody chooses. */
export type Arrangement = {
  sealId: number | undefined;
  linkHours: number | undefined;
  signOrder: SignerRole[];
};
type Wrong = Partial<Record<keyof Arrangement, string>>;

export const usualArrangement = ({ seals, linkHours, order }: Offered): Arrangement => ({
  sealId: seals[0]?.id,
  linkHours,
  signOrder: order,
});

/** What cannot be so, under its field; without links there are neither hours nor an order. */
export function arrangementErrors({ linkHours, signOrder }: Arrangement, links: boolean): Wrong {
  if (!links) return {};
  const hours = LINK_HOURS.safeParse(linkHours);
  const order = wrongOrder(signOrder, signOrder);
  return {
    ...(!hours.success && { linkHours: hours.error.issues[0]!.message }),
    ...(order && { signOrder: order }),
  };
}

type Props = {
  offered: Offered;
  chosen: Arrangement;
  choose: (change: Partial<Arrangement>) => void;
  wrong: Wrong;
  /** It may be signed by links. */
  links: boolean;
};

/** The seal, and of what is signed by links who signs before whom and how long each link is good. */
export function ArrangementFields({ offered, chosen, choose, wrong, links }: Props) {
  const { seals, signers, noSeal, provider } = offered;
  const lessor = seals.find(({ id }) => id === chosen.sealId)?.lessorName;
  const said = (role: SignerRole) => {
    const signer = signers.find((one) => one.role === role);
    return [ROLES[role][0], ...(signer ? [signer.name, signer.phone] : [lessor])].filter(Boolean).join("　");
  };
  if (!seals.length && !links) return null;
  const unsent = signers.flatMap(({ why }) => why || []);
  return (
    <section className="stack gap-11">
      <h3>签署安排</h3>
      {seals.length > 0 && (
        <div className={`fi ${wrong.sealId ? "fi--bad" : ""}`}>
          <label className="fi__label fi__label--must" htmlFor="contract-seal">
            印章
          </label>
          <div className="fi__in stack gap-2">
            <ChoiceInput
              id="contract-seal"
              words={greys(
                Object.fromEntries(seals.map((s) => [String(s.id), `${s.name}（${s.lessorName}）`])),
              )}
              value={String(chosen.sealId)}
              onChange={(id) => id !== undefined && choose({ sealId: Number(id) })}
            />
            <p className="fs-12 sub">
              印章所属企业为合同的出租方{links && provider === "esign" && "；e签宝由应用所属企业自动盖章"}
            </p>
          </div>
          {wrong.sealId && <p className="fi__msg">{wrong.sealId}</p>}
        </div>
      )}
      {links && (
        <>
          {noSeal && <p className="fs-12 sub">{noSeal}</p>}
          <div className={`fi ${wrong.linkHours ? "fi--bad" : ""}`}>
            <label className="fi__label fi__label--must" htmlFor="link-hours">
              链接有效期
            </label>
            <div className="fi__in">
              <NumberInput
                id="link-hours"
                unit="小时"
                value={chosen.linkHours}
                onChange={(linkHours) => choose({ linkHours })}
              />
            </div>
            {wrong.linkHours && <p className="fi__msg">{wrong.linkHours}</p>}
          </div>
          <div className={`fi ${wrong.signOrder ? "fi--bad" : ""}`}>
            <label className="fi__label" htmlFor="sign-order">
              签署人
            </label>
            <div className="fi__in stack gap-2">
              <Ordered
                id="sign-order"
                label="签署人"
                items={chosen.signOrder.map((role) => ({ key: role, title: said(role) }))}
                onChange={(signOrder) => choose({ signOrder })}
              />
              {unsent.map((why) => (
                <p key={why} className="fs-12 s-orange">
                  {why}
                </p>
              ))}
            </div>
            {wrong.signOrder && <p className="fi__msg">{wrong.signOrder}</p>}
          </div>
        </>
      )}
    </section>
  );
}
