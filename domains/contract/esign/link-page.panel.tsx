import { ask, button, callsAt, field, h, Refused, textOf } from "./dom.panel.tsx";
import "./signer.css";

/** What the last four characters are of. */
const LAST4 = {
  certificate: "证件号",
  creditCode: "统一社会信用代码",
  ward: "承租人证件号",
  phone: "手机号",
} as const;
const ASKED = {
  certificate: "登记证件",
  creditCode: "登记证件",
  ward: "承租人登记证件",
  phone: "接收短信的手机号",
} as const;
/** What a link says to whoever opens it. */
export type Linked = { last4Of: keyof typeof LAST4; lockedMinutes?: number };

type FirstStep<P> = {
  heading: (page: P) => string;
  who: (page: P) => string;
  /** The word of the button. */
  open: (page: P) => string;
  /** Tells the server the last four characters and shows what comes next. */
  enter: (page: P, last4: string) => Promise<unknown>;
};

/** The link leads nowhere any more, or what it showed has been replaced. */
export const isOver = (error: unknown): boolean =>
  error instanceof Refused && (error.status === 410 || error.reason === "changed");

/** The page of a one-time link: it asks who this is first; `help` says whom to turn to. */
export function linkPage(root: HTMLElement, help: string) {
  const main = h("main", { class: "sg stack gap-8" });
  root.replaceChildren(main);
  const show = (...nodes: Node[]) => {
    main.replaceChildren(...nodes);
    const heading = main.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus();
  };
  const failed = (error: unknown, again?: () => void) =>
    show(
      h("h1", { class: "sg__head" }, textOf(error)),
      h("p", { class: "sub" }, help),
      ...(again && !(error instanceof Refused && error.status >= 400 && error.status < 500)
        ? [button("重试", again)]
        : []),
    );

  const knock = <P extends Linked>(page: P, { heading, who, open: word, enter }: FirstStep<P>) => {
    const what = `${LAST4[page.last4Of]}后四位`;
    const last4 = field(what, {
      inputmode: "text",
      autocomplete: "off",
      autocapitalize: "characters",
      maxlength: 4,
      required: true,
    });
    const open = button(
      word(page),
      async () => {
        const typed = last4.input.value.trim().toUpperCase();
        if (!/^[0-9A-Z]{4}$/.test(typed)) {
          last4.wrong(`请输入${what}`);
          return last4.input.focus();
        }
        try {
          await enter(page, typed);
        } catch (error) {
          if (isOver(error)) return failed(error);
          last4.wrong(textOf(error));
          last4.input.focus();
        }
      },
      "btn btn--lg btn--main",
    );
    const form = h("form", { class: "sg__card stack gap-6", novalidate: true }, last4.box, open);
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      open.click();
    });
    show(
      h("h1", { class: "sg__head" }, heading(page)),
      h("p", { class: "sub" }, who(page)),
      form,
      h(
        "p",
        { class: "fs-13 dim" },
        `为确认是您本人，请先输入${ASKED[page.last4Of]}的后四位。连续输错3次将锁定30分钟。`,
      ),
    );
    if (page.lockedMinutes) last4.wrong(`验证次数过多，请${page.lockedMinutes}分钟后再试`);
  };

  const start = async <P extends Linked>(code: string, step: FirstStep<P>): Promise<void> => {
    main.replaceChildren(h("p", { class: "sub", role: "status" }, "正在打开…"));
    try {
      knock(await ask<P>("GET", code), step);
    } catch (error) {
      failed(error, () => void start(code, step));
    }
  };
  return { show, failed, start };
}

/** The file of what is read on the page. */
export const fileLink = (code: string, device: string): HTMLElement =>
  h(
    "p",
    {},
    h(
      "a",
      { href: callsAt(`${code}/document/file?device=${device}`), target: "_blank", rel: "noreferrer" },
      "打开 PDF 文件",
    ),
  );

type No = {
  /** The word of the button that opens the reason, its title, the word that sends it, and what is said without one. */
  word: string;
  title: string;
  ok: string;
  missing: string;
  send: (reason: string) => Promise<unknown>;
  failed: (error: unknown) => void;
};

/** How somebody says no: a button, and behind it the reason. */
export function refusing({ word, title, ok, missing, send, failed }: No): HTMLElement[] {
  const why = field(title, { maxlength: 200, required: true });
  const sends = button(
    ok,
    async () => {
      const reason = why.input.value.trim();
      if (reason.length < 2) {
        why.wrong(missing);
        return why.input.focus();
      }
      try {
        await send(reason);
      } catch (error) {
        if (isOver(error)) return failed(error);
        why.wrong(textOf(error));
      }
    },
    "btn btn--lg btn--danger",
  );
  const box = h("div", { class: "stack gap-6", hidden: true }, why.box, sends);
  const opens = button(
    word,
    () => {
      box.hidden = false;
      opens.setAttribute("aria-expanded", "true");
      why.input.focus();
    },
    "btn btn--lg btn--text",
  );
  opens.setAttribute("aria-expanded", "false");
  return [opens, box];
}
