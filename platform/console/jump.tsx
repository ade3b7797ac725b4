import { useEffect, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { Icon } from "./icons.tsx";
import { Layer } from "./layer.tsx";
import { may, mayOpen } from "./permits.ts";
import { finder, type Finder } from "./pinyin.ts";
import { parentOf, type House } from "./screen.ts";
import { theHouse } from "./slots.ts";

type Hit = { key: string; group: string; title: string; note?: string | undefined; to: string };

/** Ctrl or ⌘ + K: any page by its name or pinyin, and any record that a searcher was registered for. */
export function Jump({ house, onClose }: { house: House; onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [find, setFind] = useState<Finder>();
  useEffect(() => void finder().then((f) => setFind(() => f)), []);
  const records = useRecords(text.trim());
  const pages = useMemo<Hit[]>(() => {
    const typed = text.trim();
    const hit = (title: string) => !typed || (find ? find(title, typed) : title.includes(typed));
    return house.screens
      .filter((s) => s.kind === "page" && mayOpen(s.codes) && hit(s.title + (s.words ?? "")))
      .slice(0, typed ? 8 : 12)
      .map((s) => ({
        key: s.path,
        group: "页面",
        title: s.title,
        note: parentOf(house, s.path)?.title,
        to: s.path,
      }));
  }, [house, text, find]);
  const hits = [...pages, ...records];
  const go = (hit: Hit | undefined) => {
    if (!hit) return;
    onClose();
    void navigate(hit.to);
  };
  const onKey = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") setAt((at + 1) % Math.max(1, hits.length));
    else if (event.key === "ArrowUp") setAt((at + hits.length - 1) % Math.max(1, hits.length));
    else if (event.key === "Enter") go(hits[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Layer className="palette" label="全局搜索" modal onClose={onClose}>
      <label className="palette__in">
        <Icon name="search" />
        <input
          data-autofocus
          role="combobox"
          aria-expanded
          aria-controls="palette-hits"
          aria-activedescendant={hits[at] && `hit-${at}`}
          aria-label="输入页面、房间、租客、合同或账单"
          placeholder="页面、房间、租客、合同、账单"
          value={text}
          onChange={(event) => (setText(event.target.value), setAt(0))}
          onKeyDown={onKey}
        />
        <kbd>Esc</kbd>
      </label>
      <ul id="palette-hits" role="listbox" aria-label="结果">
        {hits.map((hit, i) => (
          <li key={hit.key} role="presentation">
            {hits[i - 1]?.group !== hit.group && <p className="palette__group">{hit.group}</p>}
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
        {!hits.length && <li className="palette__none">没有找到“{text}”</li>}
      </ul>
    </Layer>
  );
}

/** Asks the registered searchers, 200 ms after the last key, from two characters on. */
function useRecords(typed: string): Hit[] {
  const [hits, setHits] = useState<Hit[]>([]);
  useEffect(() => {
    setHits([]);
    if (typed.length < 2) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      for (const s of (theHouse().searchers ?? []).filter((one) => may(one.need))) {
        const asked = s.load().then((m) => m.search(typed, stop.signal));
        asked.then(
          (found) => {
            if (stop.signal.aborted) return;
            const more = found.map((f) => ({ ...f, key: `${s.key} ${f.id}`, group: s.title }));
            setHits((before) => [...before, ...more]);
          },
          // one kind of record that cannot be searched now leaves the others standing
          () => undefined,
        );
      }
    }, 200);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [typed]);
  return hits;
}
