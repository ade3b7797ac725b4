import { useSlash } from "../../../platform/console/filter/slash.ts";
import { Input } from "antd";
import { useMemo, useRef, useState, type RefObject } from "react";
import { Button, IconButton } from "../../../platform/console/parts/button.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { send } from "../../../platform/console/calls/request.ts";
import { searchRooms } from "./board.contract.ts";
import type { Tile } from "./board.rules.ts";
import { finds } from "./sieve.rules.ts";

export type Hits = {
  typed: string;
  searching: boolean;
  type: (text: string) => void;
  ids: ReadonlySet<number>;
  /** Hits in the order of the board, the one stepped to, and the step. */
  at: number;
  step: (by: 1 | -1) => void;
  askServer: () => Promise<void>;
};

/** Finds at once among what the browser holds; phones and contract numbers are asked from the server on Enter. */
export function useHits(
  tiles: readonly Tile[],
  villageId: number | undefined,
  /** Names of the buildings, by their place in the board. */
  buildings: readonly string[],
  reach: (id: number) => void,
): Hits {
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState<readonly number[]>([]);
  const [at, setAt] = useState(-1);
  const searching = typed.trim() !== "";
  const all = useMemo(() => {
    if (!searching) return [];
    const found = tiles.filter((t) => finds(t, typed, buildings[t.building])).map((t) => t.id);
    return [...found, ...asked.filter((id) => !found.includes(id) && tiles.some((t) => t.id === id))];
  }, [searching, tiles, typed, asked, buildings]);
  const ids = useMemo(() => new Set(all), [all]);
  return {
    typed,
    searching,
    type: (text) => {
      setTyped(text);
      setAsked([]);
      setAt(-1);
    },
    ids,
    at,
    step: (by) => {
      if (!all.length) return;
      const next = (at + by + all.length) % all.length;
      setAt(next);
      reach(all[next]!);
    },
    askServer: async () => {
      if (villageId === undefined || typed.trim().length < 2) return;
      const { roomIds } = await send(searchRooms, { query: { villageId, keyword: typed.trim() } });
      setAsked(roomIds);
      const first = all[0] ?? roomIds[0];
      if (first !== undefined) {
        setAt(0);
        reach(first);
      }
    },
  };
}

type Props = {
  hits: Hits;
  only: boolean;
  onOnly: (only: boolean) => void;
  more: number;
  onMore: () => void;
  box: RefObject<HTMLDivElement | null>;
};

export function BoardSearch({ hits, only, onOnly, more, onMore, box }: Props) {
  const own = useRef<HTMLDivElement>(null);
  useSlash(own, ".scrim");
  return (
    <div className="rb__find stack gap-3" ref={own}>
      <Input
        aria-label="查找房间"
        placeholder="楼栋房号、租客、标签"
        title="手机号和合同号按回车查找"
        allowClear
        value={hits.typed}
        prefix={<Icon name="search" size={14} />}
        suffix={!hits.searching && <kbd>/</kbd>}
        onChange={(event) => hits.type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            if (hits.ids.size && hits.at >= 0) hits.step(event.shiftKey ? -1 : 1);
            else void hits.askServer();
          }
          if (event.key === "Escape") {
            hits.type("");
            (box.current?.querySelector<HTMLElement>('[data-id][tabindex="0"]') ?? box.current)?.focus();
          }
        }}
      />
      {hits.searching ? (
        <div className="rb__hits row gap-2 fs-13 sub">
          <span>{hits.ids.size ? `${hits.at + 1}/${hits.ids.size}` : "未找到"}</span>
          <IconButton icon="up" small size={14} label="上一个" run={() => hits.step(-1)} />
          <IconButton icon="down" small size={14} label="下一个" run={() => hits.step(1)} />
          <button
            type="button"
            className={`linkish ${only ? "on" : ""}`}
            aria-pressed={only}
            onClick={() => onOnly(!only)}
          >
            仅看结果
          </button>
        </div>
      ) : (
        <MoreButton more={more} run={onMore} />
      )}
    </div>
  );
}

/** Opens the further filters and says how many of them are set. */
export const MoreButton = ({ more, run }: { more: number; run: () => void }) => (
  <Button look="text" size="sm" icon="filter" run={run}>
    更多筛选{more > 0 && ` ${more}`}
  </Button>
);
