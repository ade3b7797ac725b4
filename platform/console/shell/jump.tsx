import { useEffect, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { Icon } from "../parts/icons.tsx";
import { Layer } from "../parts/layer.tsx";
import { may, mayOpen } from "../session/permits.ts";
import { finder, type Finder } from "../inputs/pinyin.ts";
import { reach } from "../screens/screen-link.ts";
import { parentOf, type Found, type House } from "../screens/screen.ts";

/** What the jump box finds for this operator, in words: pages, and the kinds of record that may be read and opened. */
export const findable = ({ search }: House): string => {
  const mine = (search?.kinds ?? []).filter((kind) => may(kind.need) && reach(kind.path));
  return [...new Set(["页面", ...mine.map((kind) => kind.title)])].join("、");
};

/** Which of the records may be asked for at all. */
const asksRecords = (house: House) => findable(house) !== "页面";

/** Ctrl or ⌘ + K: any page by its name or pinyin, and any record that a searcher was registered for. */
export function Jump({ house, onClose }: { house: House; onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [find, setFind] = useState<Finder>();
  useEffect(() => void finder().then((f) => setFind(() => f)), []);
  const { records, looking } = useRecords(house, text.trim());
  const list = useRef<HTMLUListElement>(null);
  const words = findable(house);
  const pages = useMemo<Found[]>(() => {
    const typed = text.trim();
    const hit = (title: string) => !typed || (find ? find(title, typed) : title.includes(typed));
    return house.screens
      .filter((s) => s.kind === "page" && mayOpen(s) && hit(s.title + (s.words ?? "")))
      .slice(0, typed ? 8 : 12)
      .map((s) => ({
        key: s.path,
        group: "页面",
        title: s.title,
        note: parentOf(house, s.path)?.title ?? "",
        to: s.path,
      }));
  }, [house, text, find]);
  const hits = [...pages, ...records];
  const waits = useRef(false);
  const go = (hit: Found | undefined) => {
    if (!hit) return;
    onClose();
    void navigate(hit.to);
  };
  const onKey = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") setAt((at + 1) % Math.max(1, hits.length));
    else if (event.key === "ArrowUp") setAt((at + hits.length - 1) % Math.max(1, hits.length));
    else if (event.key === "Enter" && !hits.length && looking) waits.current = true;
    else if (event.key === "Enter") go(hits[at]);
    else return;
    event.preventDefault();
  };
  // Enter before the answer is there opens its first record
  useEffect(() => {
    if (!waits.current || looking) return;
    waits.current = false;
    go(hits[0]);
  });
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <Layer className="palette" label="全局搜索" modal onClose={onClose}>
      <label className="palette__in row gap-5 dim">
        <Icon name="search" />
        <input
          data-autofocus
          role="combobox"
          aria-expanded
          aria-controls="palette-hits"
          aria-activedescendant={hits[at] && `hit-${at}`}
          aria-label={`查找${words}`}
          placeholder={words}
          value={text}
          onChange={(event) => (setText(event.target.value), setAt(0), (waits.current = false))}
          onKeyDown={onKey}
        />
        <kbd>Esc</kbd>
      </label>
      <ul id="palette-hits" ref={list} aria-busy={looking} role="listbox" aria-label="结果">
        {hits.map((hit, i) => (
          <li key={hit.key} role="presentation">
            {hits[i - 1]?.group !== hit.group && <p className="palette__group fs-12 dim">{hit.group}</p>}
            <button
              type="button"
              id={`hit-${i}`}
              role="option"
              aria-selected={i === at}
              className={i === at ? "on" : ""}
              onMouseMove={() => setAt(i)}
              onClick={() => go(hit)}
            >
              <span>{hit.title}</span>
              <span className="dim">{hit.note}</span>
            </button>
          </li>
        ))}
        {!hits.length && (
          <li className="palette__none">{looking ? "正在查找" : `没有找到“${text.trim()}”`}</li>
        )}
      </ul>
    </Layer>
  );
}

/** Records for what was typed, asked a moment after the last key. */
function useRecords(house: House, typed: string): { records: Found[]; looking: boolean } {
  const [found, setFound] = useState<{ typed: string; records: Found[] }>();
  const { search } = house;
  const asks = search !== undefined && typed.length >= search.least && asksRecords(house);
  useEffect(() => {
    if (!asks || !search) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const asked = search.load().then((module) => module.search(typed, stop.signal));
      // pages are found also where records cannot be asked for now
      const end = (records: Found[]) => stop.signal.aborted || setFound({ typed, records });
      asked.then(end, () => end([]));
    }, 150);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [asks, search, typed]);
  const current = found?.typed === typed;
  return { records: asks && current ? found.records : [], looking: asks && !current };
}
