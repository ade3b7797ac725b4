import { Refused, ask, button, field, h, textOf } from "../esign/dom.panel.tsx";
import { type Linked, linkPage } from "../esign/link-page.panel.tsx";
import { yuan } from "../../../platform/kernel/fen.ts";

type Page = Linked & { enterprise: string; name: string };
type Bill = {
  id: number;
  title: string;
  from: string | null;
  to: string | null;
  dueOn: string;
  open: number;
  late: boolean;
};
type Mine = {
  contractNo: string;
  roomNames: string;
  start: string;
  end: string;
  rent: number;
  held: number;
  nextOn: string | null;
  nextFen: number | null;
  owed: number;
  bills: Bill[];
  request: {
    actNo: string;
    title: string;
    state: string;
    effectiveOn: string;
    reason: string;
    waits: boolean;
  } | null;
  refused: { actNo: string; title: string; reason: string } | null;
  leave: { why: string | null; first: string; last: string };
  renew: { why: string | null; start: string };
  move: { why: string | null; first: string; last: string };
};

const pairs = (...rows: (readonly [string, string])[]) =>
  h(
    "dl",
    { class: "sg__pairs" },
    ...rows.flatMap(([title, value]) => [h("dt", { class: "sub" }, title), h("dd", {}, value)]),
  );
/** The page of a lease: its tenant names the last four characters, reads it, and asks to leave, to stay or to move. */
export default async function minePage(root: HTMLElement, token: string): Promise<void> {
  document.title = "我的合同";
  const code = `m/${encodeURIComponent(token)}`;
  const { show, start } = linkPage(root, "如有疑问，请联系您的管家。");

  /** The lease, and what was asked for or may be. */
  const read = (page: Page, last4: string, mine: Mine, done = "") => {
    const again = async (path: string, body: object, said: string) => {
      await ask(`POST`, `${code}/${path}`, { last4, ...body });
      read(page, last4, await ask<Mine>("POST", `${code}/open`, { last4 }), said);
    };
    show(
      h("h1", { class: "sg__head" }, `${page.enterprise} · 我的合同`),
      ...(done ? [h("p", { class: "sg__card", role: "status" }, done)] : []),
      h(
        "section",
        { class: "sg__card", "aria-label": "合同" },
        pairs(
          ["房间", mine.roomNames],
          ["租期", `${mine.start} 至 ${mine.end}`],
          ["月租金", `${yuan(mine.rent)} 元`],
          ["在管押金", `${yuan(mine.held)} 元`],
          ["下次应付", mine.nextOn ? `${mine.nextOn}，${yuan(mine.nextFen ?? 0)} 元` : "没有待付账单"],
          ["合同号", mine.contractNo],
        ),
      ),
      billsOf(mine),
      ...(mine.request ? [underWay(mine.request, again)] : []),
      ...(mine.refused
        ? [
            h(
              "p",
              { class: "sg__card" },
              `您的${mine.refused.title}申请（${mine.refused.actNo}）未通过：${mine.refused.reason}`,
            ),
          ]
        : []),
      ...(mine.request ? [] : [asking(mine, again)]),
    );
  };

  await start<Page>(code, {
    heading: ({ enterprise }) => `${enterprise} · 我的合同`,
    who: ({ name }) => `承租人：${name}`,
    open: () => "查看我的合同",
    enter: async (page, last4) => read(page, last4, await ask<Mine>("POST", `${code}/open`, { last4 })),
  });
}

const billsOf = ({ bills, owed }: Mine): HTMLElement =>
  h(
    "section",
    { class: "sg__card stack gap-6", "aria-label": "待付账单" },
    h("b", {}, owed ? `待付 ${yuan(owed)} 元` : "没有待付账单"),
    ...bills.map((b) =>
      h(
        "div",
        { class: "stack gap-1" },
        h(
          "div",
          { class: "row between baseline" },
          h("span", {}, b.title),
          h("b", { class: "num" }, yuan(b.open)),
        ),
        h(
          "span",
          { class: "fs-13 sub" },
          `${b.from ? `${b.from} 至 ${b.to}，` : ""}请于 ${b.dueOn} 前支付${b.late ? "，已逾期" : ""}`,
        ),
      ),
    ),
  );

type Again = (path: string, body: object, said: string) => Promise<void>;

/** What is under way: while nobody has taken it up, he may take it back. */
function underWay(request: NonNullable<Mine["request"]>, again: Again): HTMLElement {
  const said = h("p", { class: "sg__wrong fs-13", role: "alert" });
  const back = button(
    "撤回申请",
    async () => {
      try {
        await again("takeBack", {}, `已撤回${request.title}申请。`);
      } catch (error) {
        said.textContent = textOf(error);
      }
    },
    "btn btn--lg btn--danger",
  );
  return h(
    "section",
    { class: "sg__card stack gap-6", "aria-label": "申请" },
    h("b", {}, `${request.title}${request.waits ? "申请待受理" : "办理中"}`),
    pairs(
      ["单号", request.actNo],
      ["日期", request.effectiveOn],
      ...(request.reason ? [["说明", request.reason] as const] : []),
    ),
    h(
      "p",
      { class: "fs-13 sub" },
      request.waits ? "管家受理后会通知您，受理前可以撤回。" : "请等待管家联系。",
    ),
    said,
    ...(request.waits ? [back] : []),
  );
}

const TERMS = [3, 6, 12, 24] as const;

/** Three ways to go on; each opens its few questions. What cannot be asked for says why. */
function asking(mine: Mine, again: Again): HTMLElement {
  const { leave, renew, move } = mine;
  const day = (label: string, { first, last }: { first: string; last: string }) =>
    field(label, { type: "date", min: first, max: last, required: true });
  const leaveDay = day("退房日", leave);
  const why = field("退房原因", { maxlength: 200, required: true });
  const moveDay = day("希望入住日", move);
  const wish = field("换房要求", { maxlength: 200, required: true, placeholder: "如：想换朝南的房间" });
  const note = field("说明（选填）", { maxlength: 100 });
  const terms = TERMS.map((months) => {
    const radio = h("input", { type: "radio", name: "months", id: `m${months}`, class: "sg__tick" });
    radio.checked = months === 12;
    return { months, radio, box: h("label", { class: "row", for: `m${months}` }, radio, `${months} 个月`) };
  });
  const isDay = (at: ReturnType<typeof field>, what: string) => {
    if (at.input.value) return true;
    at.wrong(`请选择${what}`);
    at.input.focus();
    return false;
  };
  const isText = (at: ReturnType<typeof field>, what: string) => {
    if (at.input.value.trim().length >= 2) return true;
    at.wrong(`请填写${what}（2-200字）`);
    at.input.focus();
    return false;
  };
  const way = (
    label: string,
    no: string | null,
    parts: Node[],
    send: { ok: string; ready: () => boolean; run: () => Promise<void> },
  ) => {
    const said = h("p", { class: "sg__wrong fs-13", role: "alert" });
    const submit = button(
      send.ok,
      async () => {
        said.textContent = "";
        if (!send.ready()) return;
        try {
          await send.run();
        } catch (error) {
          said.textContent =
            error instanceof Refused ? (error.fields[0]?.msg ?? error.message) : textOf(error);
        }
      },
      "btn btn--lg btn--main",
    );
    const questions = h("div", { class: "stack gap-6", hidden: true }, ...parts, said, submit);
    const open = button(label, () => {
      for (const other of questions.closest("section")?.querySelectorAll<HTMLElement>("[data-way]") ?? [])
        other.hidden = other !== questions;
      questions.querySelector("input")?.focus();
    });
    questions.dataset["way"] = label;
    if (no) open.setAttribute("aria-disabled", "true");
    return h(
      "div",
      { class: "stack gap-6" },
      open,
      no ? h("p", { class: "fs-13 sub" }, no) : undefined,
      questions,
    );
  };
  return h(
    "section",
    { class: "sg__card stack gap-8", "aria-label": "申请办理" },
    h("b", {}, "申请办理"),
    way("我要退房", leave.why, [leaveDay.box, why.box], {
      ok: "提交退房申请",
      ready: () => isDay(leaveDay, "退房日") && isText(why, "退房原因"),
      run: () =>
        again(
          "leave",
          { effectiveOn: leaveDay.input.value, reason: why.input.value.trim() },
          "退房申请已提交，请等待管家受理。",
        ),
    }),
    way(
      "我要续租",
      renew.why,
      [
        h("p", { class: "fs-13 sub" }, `从 ${renew.start} 起续租`),
        h(
          "fieldset",
          { class: "sg__hand stack gap-4" },
          h("legend", {}, "续租多久"),
          ...terms.map((t) => t.box),
        ),
        note.box,
      ],
      {
        ok: "提交续租申请",
        ready: () => true,
        run: () =>
          again(
            "renew",
            { months: terms.find((t) => t.radio.checked)!.months, note: note.input.value.trim() },
            "续租申请已提交，请等待管家受理。",
          ),
      },
    ),
    way("我要换房", move.why, [moveDay.box, wish.box], {
      ok: "提交换房申请",
      ready: () => isDay(moveDay, "希望入住日") && isText(wish, "换房要求"),
      run: () =>
        again(
          "move",
          { effectiveOn: moveDay.input.value, reason: wish.input.value.trim() },
          "换房申请已提交，请等待管家受理。",
        ),
    }),
  );
}
