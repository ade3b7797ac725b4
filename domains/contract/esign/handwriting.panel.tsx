import { button, h } from "./dom.panel.tsx";

export type Handwriting = {
  box: HTMLElement;
  /** The picture as base64; empty while nothing was written. */
  picture: () => string;
};

const INK_WIDTH = 2.5;
/** Pixels of the picture that is kept, whatever the screen has. */
const KEPT = { width: 560, height: 224 };
/** So much of a line is a signature, in those pixels; a tap or a finger that slips is none. */
const LEAST_INK = 60;

/**
 * A field to write one's name in by finger, pen or mouse. Who cannot draw types the name, and it is written in.
 */
export function handwriting(name: string): Handwriting {
  const canvas = h("canvas", {
    class: "sg__canvas",
    width: KEPT.width,
    height: KEPT.height,
    role: "img",
    "aria-label": "手写签名区，用手指、手写笔或鼠标书写",
  });
  const pen = canvas.getContext("2d")!;
  const colour = getComputedStyle(document.documentElement).getPropertyValue("--paper-ink").trim() || "black";
  let ink = 0;
  let last: [number, number] | undefined;
  const at = (e: PointerEvent): [number, number] => {
    const box = canvas.getBoundingClientRect();
    return [
      ((e.clientX - box.left) / box.width) * KEPT.width,
      ((e.clientY - box.top) / box.height) * KEPT.height,
    ];
  };
  canvas.addEventListener("pointerdown", (e) => {
    canvas.setPointerCapture(e.pointerId);
    last = at(e);
  });
  canvas.addEventListener("pointermove", (e) => {
    if (!last) return;
    const now = at(e);
    pen.strokeStyle = colour;
    pen.lineWidth = INK_WIDTH * 2;
    pen.lineCap = "round";
    pen.beginPath();
    pen.moveTo(...last);
    pen.lineTo(...now);
    pen.stroke();
    ink += Math.hypot(now[0] - last[0], now[1] - last[1]);
    last = now;
  });
  for (const end of ["pointerup", "pointercancel"] as const)
    canvas.addEventListener(end, () => (last = undefined));
  const said = h("p", { class: "fs-13 sub", role: "status" });
  const clear = () => {
    pen.clearRect(0, 0, KEPT.width, KEPT.height);
    ink = 0;
    said.textContent = "";
  };
  const typed = h("input", {
    class: "sg__input grow",
    "aria-label": "键入姓名",
    maxlength: 30,
    placeholder: name,
  });
  const write = () => {
    const text = typed.value.trim();
    if (!text) return typed.focus();
    clear();
    pen.fillStyle = colour;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.font = `72px "Kaiti SC", KaiTi, STKaiti, serif`;
    pen.fillText(text, KEPT.width / 2, KEPT.height / 2, KEPT.width - 40);
    ink = LEAST_INK;
    said.textContent = `已写入签名：${text}`;
  };
  const box = h(
    "fieldset",
    { class: "sg__hand stack gap-4" },
    h("legend", {}, "手写签名"),
    canvas,
    h("div", { class: "row gap-4" }, button("清除重写", clear, "btn"), said),
    h(
      "details",
      {},
      h("summary", { class: "sub fs-13" }, "无法手写？键入姓名"),
      h("div", { class: "row gap-4 sg__typed" }, typed, button("写入", write, "btn")),
    ),
  );
  return {
    box,
    picture: () =>
      ink >= LEAST_INK ? canvas.toDataURL("image/png").replace(/^data:image\/png;base64,/, "") : "",
  };
}
