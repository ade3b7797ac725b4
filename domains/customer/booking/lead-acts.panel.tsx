import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Current } from "../../../platform/console/parts/loaded.tsx";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { send } from "../../../platform/console/calls/request.ts";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { reach } from "../../../platform/console/screens/screen-link.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { CONTRACT_PAGE } from "../../finance/bill/bill.rules.ts";
import { CONTRACT_ADD } from "../reservation/reservation.rules.ts";
import { listReservations } from "../reservation/reservation.contract.ts";
import { claimLead, releaseLead, reopenLead, assignLeads, followLead } from "../lead/acts.contract.ts";
import { AssignForm, FollowForm, LoseForm } from "../lead/acts.form.tsx";
import { deleteLead, getLead, type listLeads, editLead } from "../lead/lead.contract.ts";
import { LeadForm } from "./lead.form.tsx";
import { LEAD_MOVES, LIVE, notYours } from "../lead/lead.rules.ts";

export type LeadRow = Row<typeof listLeads>;
const BOOKING = "/configuration/BookingManagement";

type Open =
  | { kind: "follow" | "lose"; lead: LeadRow }
  | { kind: "assign"; leads: readonly LeadRow[] }
  | { kind: "edit"; lead: Reply<typeof getLead> };

export type LeadActs = {
  of: (lead: LeadRow) => Actions;
  assign: (leads: readonly LeadRow[]) => void;
  layer: ReactNode;
};

/** What can be done with a lead, with the sentence where it cannot, and the layer that an act has opened. */
export function useLeadActs(): LeadActs {
  const act = useAct();
  const me = useOperator()?.operatorId ?? 0;
  const [, set] = useAddress();
  const go = useGo();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);

  /** From its reservation when it has one, else with what is known of the customer: nothing is typed twice. */
  const toContract = async (lead: LeadRow) => {
    if (lead.state === "reserved") {
      const { list } = await send(listReservations, { query: { leadId: lead.id, state: "held" } });
      if (list[0]) return go(BOOKING, { tab: "reservation", id: list[0].id, act: "convert" });
    }
    const known = await send(getLead, { params: { id: lead.id } });
    const { villageIds, partyId, signsAs, moveInDay, sourceName, agentId } = known;
    return go(CONTRACT_PAGE[signsAs], {
      draft: "new",
      villageId: villageIds[0],
      ...(partyId && { partyId }),
      ...(moveInDay && { start: moveInDay }),
      ...(sourceName && { channel: sourceName }),
      ...(agentId && { agentId }),
    });
  };

  const of = (lead: LeadRow): Actions => {
    const sent = { params: { id: lead.id }, body: { version: lead.version } };
    const other = notYours(lead, me, may("#1501"));
    const why = (move: "follow" | "lose" | "reopen" | "release") =>
      other ?? LEAD_MOVES.refusal(move, { ...lead, status: lead.state });
    const live = (LIVE as readonly string[]).includes(lead.state);
    const pooled = live && lead.ownerId === null;
    return [
      pooled && {
        label: "领取",
        does: claimLead,
        run: () => act(claimLead, { params: { id: lead.id } }, { done: "已领取，请尽快跟进" }),
      },
      !pooled &&
        live && {
          label: "跟进",
          does: followLead,
          why: why("follow"),
          run: () => setOpen({ kind: "follow", lead }),
        },
      !pooled &&
        live && {
          label: "预约看房",
          need: "15.add",
          why: other,
          run: () => go(BOOKING, { tab: "viewing", book: 1, leadId: lead.id }),
        },
      !pooled &&
        live &&
        lead.state !== "reserved" && {
          label: "预订",
          need: "15.add",
          why: other,
          run: () => go(BOOKING, { tab: "reservation", reserve: 1, leadId: lead.id }),
        },
      !pooled &&
        live &&
        reach(CONTRACT_PAGE[lead.signsAs]) !== undefined && {
          label: "转合同",
          need: CONTRACT_ADD[lead.signsAs],
          why: other,
          run: () => toContract(lead),
        },
      lead.state === "lost" && {
        label: "重新激活",
        does: reopenLead,
        why: why("reopen"),
        run: () =>
          act(reopenLead, sent, {
            done: "已重新激活",
            ask: { title: "重新激活", body: `${lead.name}将由您继续跟进，确定吗？`, ok: "重新激活" },
          }),
      },
      {
        label: "编辑",
        does: editLead,
        why: other,
        run: async () => setOpen({ kind: "edit", lead: await send(getLead, { params: { id: lead.id } }) }),
      },
      live && { label: "分配", does: assignLeads, run: () => setOpen({ kind: "assign", leads: [lead] }) },
      live &&
        !pooled && {
          label: "释放",
          does: releaseLead,
          why: why("release"),
          run: () =>
            act(releaseLead, sent, {
              done: "已释放到公海",
              ask: {
                title: "释放到公海",
                body: `${lead.name}将转入公海，同事可以领取，确定吗？`,
                ok: "释放",
              },
            }),
        },
      live &&
        !pooled && {
          label: "流失",
          need: "15.edit",
          danger: true,
          why: why("lose"),
          run: () => setOpen({ kind: "lose", lead }),
        },
      lead.state === "new" &&
        lead.mine &&
        deleteAction(deleteLead, lead, {
          title: "删除客源",
          body: `确定删除${lead.name}吗？只能删除当天登记的客源。`,
          ok: "删除",
          gone: () => set({ id: undefined }),
        }),
    ];
  };

  return {
    of,
    assign: (leads) => setOpen({ kind: "assign", leads }),
    layer: open && <Layer open={open} onClose={close} />,
  };
}

function Layer({ open, onClose }: { open: Open; onClose: () => void }) {
  switch (open.kind) {
    case "follow":
      return <FollowForm lead={open.lead} onClose={onClose} />;
    case "lose":
      return <LoseForm lead={open.lead} onClose={onClose} />;
    case "assign":
      return <AssignForm leads={open.leads} onClose={onClose} />;
    case "edit":
      return (
        <Current call={getLead} read={open.lead}>
          {(lead) => <LeadForm lead={lead} onClose={onClose} />}
        </Current>
      );
  }
}
