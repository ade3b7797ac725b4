type Child = Node | string | undefined | null | false;
type Props = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;

/** An element with its attributes, listeners (`onclick`) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((c) => c !== undefined && c !== null && c !== false));
  return element;
}

/** A refusal of the server, with its sentence. */
export class Refused extends Error {
  readonly status: number;
  readonly reason: string;
  readonly data: Record<string, unknown>;
  readonly fields: readonly { field: string; msg: string }[];
  constructor(status: number, body: Partial<Answer>) {
    super(body.message || "网络连接失败，请检查网络后重试");
    this.status = status;
    this.reason = body.reason ?? "";
    this.data = (body.data ?? {}) as Record<string, unknown>;
    this.fields = body.fields ?? [];
  }
}
type Answer = { message: string; reason: string; data: unknown; fields: { field: string; msg: string }[] };

export const textOf = (error: unknown): string =>
  error instanceof Refused ? error.message : "请求出现错误，请稍后再试";

/** Where calls go, as the page was served. */
const base = document.querySelector<HTMLMetaElement>("meta[name=api-base]")?.content.replace(/\/$/, "") ?? "";
export const callsAt = (path: string): string => `${base}/contract/api/v3/esign/${path}`;
export const atServer = (path: string): string => base + path;

/** Sends a call and answers its data; throws what the server refused. Nobody is signed in here. */
export const ask = <T,>(method: "GET" | "POST", path: string, body?: object): Promise<T> =>
  sent(path, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });

async function sent<T>(path: string, how: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(callsAt(path), { credentials: "omit", ...how });
  } catch {
    throw new Refused(0, {});
  }
  const answer = (await response.json().catch(() => ({}))) as Partial<Answer>;
  if (!response.ok) throw new Refused(response.status, answer);
  return answer.data as T;
}

/** Sends one file with what is said of it. */
export async function upload<T>(path: string, file: File, said: Record<string, string>): Promise<T> {
  const form = new FormData();
  for (const [name, value] of Object.entries(said)) form.append(name, value);
  form.append("file", file);
  return sent(path, { method: "POST", body: form });
}

/** A button that is busy while it runs; a second press does nothing. */
export function button(
  label: string,
  run: () => Promise<void> | void,
  look = "btn btn--lg",
): HTMLButtonElement {
  let busy = false;
  const element = h("button", { type: "button", class: look }, label);
  element.addEventListener("click", () => {
    if (busy || element.getAttribute("aria-disabled") === "true") return;
    busy = true;
    element.setAttribute("aria-busy", "true");
    void Promise.resolve(run()).finally(() => {
      busy = false;
      element.removeAttribute("aria-busy");
    });
  });
  return element;
}

/** A labelled input with a place for what is wrong with it. */
export function field(
  label: string,
  props: Props,
): { box: HTMLElement; input: HTMLInputElement; wrong: (text: string) => void } {
  const id = `f-${label}`;
  const message = h("p", { class: "sg__wrong fs-13", id: `${id}-wrong`, role: "alert" });
  const input = h("input", { ...props, id, class: "sg__input", "aria-describedby": `${id}-wrong` });
  const wrong = (text: string) => {
    message.textContent = text;
    if (text) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  input.addEventListener("input", () => wrong(""));
  return {
    box: h("div", { class: "stack gap-3" }, h("label", { for: id }, label), input, message),
    input,
    wrong,
  };
}
