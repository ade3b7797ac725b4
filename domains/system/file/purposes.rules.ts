/** What a file may be: judged by its content, never by what its sender calls it. */
export type FileKind = "jpg" | "png" | "pdf" | "xlsx" | "csv";
export type Cap = "2M" | "10M" | "30M";
type Purpose = {
  kinds: readonly FileKind[];
  cap: Cap;
  /** Said to whoever brings something else. */ wanted: string;
};

const image = (cap: Cap): Purpose => ({ kinds: ["jpg", "png"], cap, wanted: "请上传图片" });
const paper = (cap: Cap): Purpose => ({ kinds: ["jpg", "png", "pdf"], cap, wanted: "请上传图片或PDF文件" });
const sheet = (cap: Cap): Purpose => ({ kinds: ["xlsx"], cap, wanted: "请上传xlsx文件" });

/** Every field that takes a file names one of these. */
export const PURPOSES = {
  image2M: image("2M"),
  image10M: image("10M"),
  image30M: image("30M"),
  paper10M: paper("10M"),
  paper30M: paper("30M"),
  sheet10M: sheet("10M"),
  sheet30M: sheet("30M"),
  /** What banks and older systems give out. */
  table30M: { kinds: ["xlsx", "csv"], cap: "30M", wanted: "请上传xlsx或csv文件" },
} as const satisfies Record<string, Purpose>;
export type PurposeName = keyof typeof PURPOSES;
export const PURPOSE_NAMES = Object.keys(PURPOSES) as [PurposeName, ...PurposeName[]];

export const bytesOf = (cap: Cap): number => Number.parseInt(cap) * 1024 * 1024;

export const TYPES: Record<FileKind, string> = {
  jpg: "image/jpeg",
  png: "image/png",
  pdf: "application/pdf",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv",
};

const endings = (kinds: readonly FileKind[]) =>
  kinds.flatMap((kind) => (kind === "jpg" ? ["jpg", "jpeg"] : [kind]));

/** The sentence against name, size or content, or nothing. */
export function fileRefusal(
  purpose: PurposeName,
  file: { name: string; size: number; kind: FileKind | undefined },
): string | undefined {
  const { kinds, cap, wanted }: Purpose = PURPOSES[purpose];
  const ending = file.name.split(".").at(-1)?.toLowerCase() ?? "";
  if (!file.kind || !kinds.includes(file.kind) || !endings(kinds).includes(ending)) return wanted;
  if (file.size > bytesOf(cap)) return `${wanted === "请上传图片" ? "图片" : "文件"}大小不能超过${cap}`;
  return undefined;
}

/** A name that is only a name: no path, no control or direction marks, at most 100 characters with its ending. */
export function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)!;
  const clean = last
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, "")
    .replace(/[<>:"|?*]/g, "_")
    .replace(/^[\s.]+|[\s.]+$/g, "");
  const dot = clean.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [clean.slice(0, dot), clean.slice(dot)] : [clean, ""];
  return [...stem].slice(0, 100 - ending.length).join("") + ending.slice(0, 20);
}
