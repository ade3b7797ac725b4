import { smsCode } from "./code.panel.tsx";
import { ask, button, h, Refused, textOf } from "./dom.panel.tsx";
import { handwriting, type Handwriting } from "./handwriting.panel.tsx";
import { fileLink, isOver, type Linked, linkPage, refusing } from "./link-page.panel.tsx";
import { type Block, paperOf } from "./paper.panel.tsx";

type Page = Linked & {
  state: "open" | "signed";
  enterprise: string;
  title: string;
  /** 合同 or 协议. */
  noun: string;
  signer: string;
};
type Document = {
  hash: string;
  pages: number;
  blocks: Block[];
  facts: { title: string; value: string }[];
  phone: string;
  readSeconds: number;
  handwriting: boolean;
  needImageCode: boolean;
  secondsToNextCode: number;
  consent: { text: string; terms: string[] };
};

const result = (key: string) => location.assign(`/sams/signsuccess?key=${encodeURIComponent(key)}`);

/** The page of a signing link: who signs names the last four characters, reads, and agrees or refuses. */
const signerPage = async (root: HTMLElement, code: string): Promise<void> => {
  const { show, failed, start } = linkPage(root, "如有疑问，请联系为您办理签约的管家。");

  /** The second step: the contract is read, then agreed to or refused. */
  const read = (page: Page, device: string, document_: Document) => {
    const paper = paperOf(document_.blocks, `${page.noun}正文`);
    const hand = document_.handwriting ? handwriting(page.signer) : undefined;
    const steps = h("section", { class: "sg__card stack gap-8", "aria-label": "签署" });
    const end = h("div", { class: "sg__end" });
    show(
      h("h1", { class: "sg__head" }, page.title),
      h("p", { class: "sub" }, `${page.enterprise} · 共 ${document_.pages} 页`),
      h(
        "section",
        { class: "sg__card", "aria-label": `${page.noun}要点` },
        h(
          "dl",
          { class: "sg__pairs" },
          ...document_.facts.flatMap(({ title, value }) => [
            h("dt", { class: "sub" }, title),
            h("dd", {}, value),
          ]),
        ),
      ),
      fileLink(code, device),
      paper,
      end,
      h("p", { class: "sg__hash fs-12 dim" }, `文件 SHA-256：${document_.hash}`),
      steps,
    );
    void agreeing(steps, end, { code, device, noun: page.noun, document: document_, hand, failed });
  };

  await start<Page>(code, {
    heading: (page) => {
      document.title = `${page.title} · 电子签署`;
      return `${page.enterprise}邀请您签署《${page.title}》`;
    },
    who: (page) => `签署人：${page.signer}${page.last4Of === "ward" ? "（监护人）" : ""}`,
    open: (page) => (page.state === "signed" ? "查看签署结果" : `打开${page.noun}`),
    enter: async (page, last4) => {
      const { device, resultKey } = await ask<{ device: string; resultKey: string | null }>(
        "POST",
        `${code}/open`,
        { last4 },
      );
      if (resultKey) return result(resultKey);
      read(page, device, await ask<Document>("GET", `${code}/document?device=${device}`));
    },
  });
};

export default (root: HTMLElement, token: string): Promise<void> =>
  signerPage(root, encodeURIComponent(token));
/** The same of a sample that is signed to try everything out. */
export const trial = (root: HTMLElement, token: string): Promise<void> =>
  signerPage(root, `t/${encodeURIComponent(token)}`);

type Agreeing = {
  code: string;
  device: string;
  noun: string;
  document: Document;
  hand: Handwriting | undefined;
  failed: (error: unknown) => void;
};

const FAR = 1_000_000;

/** Resolves once the end of the paper was reached and it stood open long enough to be read. */
export async function haveRead(end: Element, seconds: number, waits: (left: number) => void): Promise<void> {
  const reached = new Promise<void>((resolve) => {
    const watch = new IntersectionObserver(
      (seen) => {
        if (!seen.some((s) => s.isIntersecting)) return;
        watch.disconnect();
        resolve();
      },
      // whoever jumps below it, as a keyboard does, has passed it
      { rootMargin: `${FAR}px 0px 0px` },
    );
    watch.observe(end);
  });
  const over = new Promise<void>((resolve) => {
    let left = seconds;
    const tick = () => {
      waits(left);
      if (left-- <= 0) return resolve();
      setTimeout(tick, 1000);
    };
    tick();
  });
  await Promise.all([reached, over]);
}

async function agreeing(steps: HTMLElement, end: Element, it: Agreeing): Promise<void> {
  const { code, device, hand } = it;
  const said = h("p", { class: "sg__wrong fs-13", role: "alert" });
  const tick = h("input", { type: "checkbox", id: "agreed", class: "sg__tick" });
  const sms = smsCode(code, device, it.document);
  const sign = button(
    "同意签署",
    async () => {
      said.textContent = "";
      const missing = !tick.checked
        ? `请先勾选同意本${it.noun}及电子签署约定`
        : hand && !hand.picture()
          ? "请手写签名"
          : "";
      if (missing) return void (said.textContent = missing);
      const captcha = sms.typed();
      if (!captcha) return;
      try {
        const { key } = await ask<{ key: string }>("POST", `${code}/sign`, {
          device,
          captcha,
          documentHash: it.document.hash,
          agreed: true,
          ...(hand && { handwriting: hand.picture() }),
        });
        result(key);
      } catch (error) {
        if (isOver(error)) return it.failed(error);
        const where = error instanceof Refused ? error.fields[0]?.field : undefined;
        if (where === "captcha" || (error instanceof Refused && error.reason === "locked"))
          sms.wrong(textOf(error));
        else said.textContent = textOf(error);
      }
    },
    "btn btn--lg btn--main",
  );
  const refusal = refusing({
    word: "拒绝签署",
    title: "拒签原因",
    ok: "确认拒签",
    missing: "请填写拒签原因（2-200字）",
    send: async (reason) =>
      result((await ask<{ key: string }>("POST", `${code}/refuse`, { device, reason })).key),
    failed: it.failed,
  });

  const note = h("p", { class: "fs-13 sub", role: "status" });
  // seen, and not said aloud every second
  const left = h("p", { class: "fs-13 sub", "aria-hidden": true });
  const may = (yes: boolean) => sign.setAttribute("aria-disabled", String(!yes));
  may(false);
  steps.append(
    ...(hand ? [hand.box] : []),
    h(
      "details",
      { class: "fs-13" },
      h("summary", {}, "电子签署约定"),
      h("ol", { class: "sg__terms" }, ...it.document.consent.terms.map((term) => h("li", {}, term))),
    ),
    h("label", { class: "row gap-4", for: "agreed" }, tick, h("span", {}, it.document.consent.text)),
    ...sms.parts,
    said,
    note,
    left,
    sign,
    ...refusal,
  );
  note.textContent = `请阅读${it.noun}至末页`;
  await haveRead(end, it.document.readSeconds, (seconds) => {
    left.textContent = seconds > 0 ? `${seconds} 秒后可签署` : "";
  });
  note.textContent = "已读至末页，可以签署";
  may(true);
}
