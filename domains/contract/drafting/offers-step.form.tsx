import { useQuery } from "@tanstack/react-query";
import type { Reply } from "../../../platform/kernel/call.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { ChoiceInput, MoneyInput, NumberInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { Tick } from "../../../platform/console/inputs/tick.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { usableActivities } from "../activity/activity.contract.ts";
import { clash } from "../activity/activity.rules.ts";
import { belowLowest } from "../preview/preview.rules.ts";
import type { Draft } from "./draft.form.tsx";
import { type Discount, byHand, inputOf, offWith, offerTerm } from "./drafting.rules.ts";

type Usable = Reply<typeof usableActivities>[number];

/** The offers that fit the contract as it stands; asked anew with whatever they depend on. */
function useUsable({ form, saved }: Draft) {
  const { kind, villageId, partyId, start, end, cycleMonths, rooms } = form;
  return useQuery({
    ...ask(usableActivities, {
      query: {
        kind,
        villageId,
        cycleMonths,
        start: start ?? "",
        end: end ?? "",
        roomIds: rooms.map((r) => r.roomId).join(","),
        ...(partyId && { partyId }),
        ...(saved && { contractId: saved.id }),
      },
    }),
    enabled: Boolean(villageId && start && end && rooms.length),
  });
}

/** Step 5: offers with what each takes off this contract, and a discount by hand. */
export function OffersStep({ draft }: { draft: Draft }) {
  const { form, live, cards } = draft;
  const { data, error, refetch } = useUsable(draft);
  const chosen = form.discounts ?? [];
  const set = (discounts: Discount[]) => draft.patch({ discounts });
  const ids = new Set(chosen.map((d) => d.activityId));
  const gone = data ? chosen.filter((d) => d.activityId && !data.some((o) => o.id === d.activityId)) : [];
  const lowest = form.rooms.map((r) => cards.get(r.roomId)?.lowestPrice ?? null);
  const input = live.plan && inputOf(form, cards);
  const below = input && belowLowest(input, lowest, form.turnover);
  return (
    <div className="form cf__grid">
      <h3 className="form__section">
        优惠活动<small>先免月、再打折、后立减，每个月最多减到 0</small>
      </h3>
      <div className="fi--wide grid gap-3">
        {error ? (
          <Broken error={error} retry={refetch} />
        ) : !data ? (
          <RowsSkeleton rows={3} />
        ) : (
          data.map((offer) => (
            <Offer
              key={offer.id}
              offer={offer}
              on={ids.has(offer.id)}
              why={ids.has(offer.id) ? undefined : whyNot(offer, data, ids)}
              wrong={draft.errors[`discounts.${chosen.findIndex((d) => d.activityId === offer.id)}`]}
              off={offWith(form, cards, offerTerm(offer))}
              onChange={(on) =>
                set(
                  on
                    ? [
                        ...chosen.filter((d) => d.activityId),
                        offerTerm(offer),
                        ...chosen.filter((d) => !d.activityId),
                      ]
                    : chosen.filter((d) => d.activityId !== offer.id),
                )
              }
            />
          ))
        )}
        {data?.length === 0 && gone.length === 0 && <p className="dim">没有适用于这份合同的优惠活动</p>}
        {gone.map((d) => (
          <p key={d.activityId} className="party__bar tinted row wrap fs-13 s-orange" role="alert">
            <Icon name="warn" size={14} />
            优惠“{d.name}”不再适用于这份合同
            <Button size="sm" run={() => set(chosen.filter((o) => o !== d))}>
              移除
            </Button>
          </p>
        ))}
      </div>
      <ByHand draft={draft} set={set} />
      <div className="fi--wide grid gap-3">
        {live.plan && chosen.length > 0 && (
          <p className="sub">
            优惠合计 <b>{yuan(-live.plan.totals.discounts)}</b>，折后月租{" "}
            <b>{live.plan.totals.netMonthlyRent === null ? "—" : yuan(live.plan.totals.netMonthlyRent)}</b>
          </p>
        )}
        {below && (
          <p className="party__bar tinted row wrap fs-13 s-red" role="alert">
            <Icon name="warn" size={14} />
            {below}
          </p>
        )}
      </div>
    </div>
  );
}

const whyNot = (offer: Usable, all: readonly Usable[], ids: ReadonlySet<number | null | undefined>) =>
  offer.why ??
  clash(
    offer,
    all.filter((o) => ids.has(o.id)),
  );

type OfferProps = {
  offer: Usable;
  on: boolean;
  why: string | undefined;
  wrong: string | undefined;
  off: Fen | undefined;
  onChange: (on: boolean) => void;
};

const Offer = ({ offer, on, why, wrong, off, onChange }: OfferProps) => (
  <div className={`offer row gap-6 ${why ? "offer--off" : ""}`}>
    <Tick checked={on} why={why} className="grow" onChange={onChange}>
      <span className="grid gap-2 grow">
        <span className="row wrap gap-4">
          <b>{offer.name}</b>
          <span>{offer.valueText}</span>
        </span>
        <small className={wrong ? "bad" : "dim"}>
          {wrong ??
            why ??
            [
              `签约至 ${offer.signTo}`,
              offer.left !== null && `剩 ${offer.left} 份`,
              offer.budgetLeft !== null && `预算剩 ${yuan(offer.budgetLeft)} 元`,
            ]
              .filter(Boolean)
              .join("，")}
        </small>
      </span>
    </Tick>
    <span className="num" data-whole>
      {off === undefined ? "—" : yuan(-off)}
    </span>
  </div>
);

const HAND = { none: ["无", "grey"], amount: ["整单减", "grey"], percent: ["整单打折", "grey"] } as const;

/** What somebody agrees beside the offers, each by itself: what went over from the contract before may be several. */
function ByHand({ draft, set }: { draft: Draft; set: (all: Discount[]) => void }) {
  const chosen = draft.form.discounts ?? [];
  const own = chosen.flatMap((d, at) => (d.activityId ? [] : [at]));
  return (
    <>
      <h3 className="form__section">
        整单优惠<small>只减租金；低于底价需要权限或审批</small>
      </h3>
      {(own.length ? own : [chosen.length]).map((at, i) => (
        <OneByHand
          key={at}
          label={own.length > 1 ? `方式 ${i + 1}` : "方式"}
          own={chosen[at]}
          wrong={draft.errors[`discounts.${at}.value`]}
          put={(next) => set([...chosen.slice(0, at), ...(next ? [next] : []), ...chosen.slice(at + 1)])}
        />
      ))}
    </>
  );
}

type OneByHandProps = {
  label: string;
  own: Discount | undefined;
  wrong: string | undefined;
  put: (next: Discount | undefined) => void;
};

/** A sum once, or a percent of every month's rent. */
const OneByHand = ({ label, own, wrong, put }: OneByHandProps) => (
  <div className={`fi fi--wide ${wrong ? "fi--bad" : ""}`} role="group" aria-label={`整单优惠${label}`}>
    <span className="fi__label">{label}</span>
    <div className="row wrap gap-4">
      <ChoiceInput
        value={own?.kind ?? "none"}
        words={HAND}
        onChange={(kind) => put(kind === "amount" || kind === "percent" ? byHand(kind) : undefined)}
      />
      {own?.kind === "amount" && (
        <MoneyInput
          value={Number(own.value) || undefined}
          placeholder="减多少元"
          onChange={(fen) => put({ ...own, value: String(fen ?? 0) })}
        />
      )}
      {own?.kind === "percent" && (
        <NumberInput
          value={Number(own.value) || undefined}
          unit="%"
          placeholder="减百分之几"
          onChange={(percent) => put({ ...own, value: String(percent ?? 0) })}
        />
      )}
      {own && (
        <TextInput
          value={own.reason}
          max={100}
          placeholder="优惠原因"
          onChange={(reason) => put({ ...own, reason: reason ?? "" })}
        />
      )}
    </div>
    {wrong && (
      <p className="fi__msg" role="alert">
        {wrong}
      </p>
    )}
  </div>
);
