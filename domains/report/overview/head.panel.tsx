import { type RefObject, useEffect, useState } from "react";
import { DayInput, DayRange } from "../../../platform/console/inputs/days.tsx";
import { DistrictsSelect, VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { useVillages } from "../../../platform/console/inputs/source.ts";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { Segments } from "../../../platform/console/parts/segments.tsx";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { AGAINST, GRAINS } from "../indicator/period.rules.ts";
import { type Chosen, neighbour, periodName } from "./chosen.panel.tsx";
import { BASES } from "./overview.rules.ts";

const itemsOf = <K extends string>(words: Words<K>) =>
  (Object.keys(words) as K[]).map((key) => [key, words[key][0]] as const);

type HeadProps = { chosen: Chosen; onWall: () => void; onPicture: () => Promise<void> };

/** Districts, stores, period, the day that is looked back from, what it is compared with, and the way to the wall screen. */
export function Head({ chosen, onWall, onPicture }: HeadProps) {
  const { grain, period, against, basis, villages, set } = chosen;
  return (
    <div className="ov__head row wrap" data-picture="off">
      <DistrictsSelect
        width={116}
        value={villages}
        onChange={(ids) => set({ villageIds: ids.join(",") || undefined })}
      />
      <VillagesSelect
        value={villages}
        prefix="门店"
        width={150}
        onChange={(ids) => set({ villageIds: ids.join(",") || undefined })}
      />
      <Segments
        label="期间"
        items={itemsOf(GRAINS)}
        on={grain}
        onChange={(key) => set({ grain: key === "month" ? undefined : key, from: undefined, to: undefined })}
      />
      {grain === "range" ? (
        <DayRange
          label="期间"
          value={period}
          onChange={({ from, to }) => set({ from: from ?? undefined, to: to ?? undefined })}
        />
      ) : (
        <span className="ov__period">
          <IconButton
            icon="left"
            small
            label="上一期"
            run={() => set({ from: neighbour(grain, period.from, -1) })}
          />
          <b>{periodName(grain, period)}</b>
          <IconButton
            icon="right"
            small
            label="下一期"
            why={period.to >= chosen.today ? "已是当前期间" : undefined}
            run={() => set({ from: neighbour(grain, period.from, 1) })}
          />
        </span>
      )}
      <span className="ov__pair">
        <small className="dim">对比</small>
        <Segments
          label="对比"
          items={itemsOf(AGAINST)}
          on={against}
          onChange={(key) => set({ against: key === "target" ? undefined : key })}
        />
      </span>
      <span className="ov__pair">
        <small className="dim">口径</small>
        <Segments
          label="口径"
          items={itemsOf(BASES)}
          on={basis}
          onChange={(key) => set({ basis: key === "incomeAccrued" ? undefined : key })}
        />
      </span>
      <label className="ov__pair ov__asof">
        <small className="dim">截至</small>
        <DayInput
          value={chosen.asOf}
          most={chosen.today}
          onChange={(day) => set({ asOf: day && day < chosen.today ? day : undefined })}
        />
      </label>
      <IconButton icon="download" label="整页保存图片" run={onPicture} />
      <IconButton icon="screen" label="投屏" run={onWall} />
    </div>
  );
}

/**
 * An address may name stores that its reader does not see: they are said not to be there and fall out of it. False until
 * that is settled, so that nothing is asked for them.
 */
export function useStoresInScope(): boolean {
  const [address, set] = useAddress();
  const { data, error } = useVillages();
  const named = address.get("villageIds")?.split(",").filter(Boolean) ?? [];
  const seen = named.filter((id) => data?.some((village) => String(village.value) === id));
  const strange = data !== undefined && seen.length < named.length;
  const left = seen.join(",") || undefined;
  useEffect(() => {
    if (!strange) return;
    toast("记录不存在或无权查看", "warning");
    set({ villageIds: left });
  }, [strange, left, set]);
  return !named.length || (data !== undefined && !strange) || error !== null;
}

/** What stands on the wall at once: the elements of the page with the class wall--<part>. */
const PARTS = ["figures", "pictures", "map", "rank"] as const;
const TURN_MS = 20_000;

/** What the wall is about, since nobody before it can ask: which stores, which period, until when. */
export function WallTitle({ chosen: { villages, grain, period, asOf } }: { chosen: Chosen }) {
  const { data = [] } = useVillages();
  const one = villages.length === 1 && data.find((village) => village.value === villages[0]);
  return (
    <p className="ov__wall row baseline gap-8 sub wall--figures wall--pictures wall--map wall--rank">
      <b>数据看板</b>
      <span>{one ? one.label : `${villages.length || data.length} 个门店`}</span>
      <span>{periodName(grain, period)}</span>
      <span className="grow" />
      <span>截至 {asOf}</span>
    </p>
  );
}

/** The dashboard on a wall: the whole screen, one part after the other. Escape ends it. */
export function useWall(box: RefObject<HTMLDivElement | null>) {
  const [on, setOn] = useState(false);
  const [at, setAt] = useState(0);
  useEffect(() => {
    const follow = () => setOn(document.fullscreenElement === box.current);
    addEventListener("fullscreenchange", follow);
    return () => removeEventListener("fullscreenchange", follow);
  }, [box]);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => setAt((part) => (part + 1) % PARTS.length), TURN_MS);
    return () => clearInterval(timer);
  }, [on]);
  return {
    on,
    part: on ? PARTS[at] : undefined,
    start: () => {
      setAt(0);
      void box.current?.requestFullscreen();
    },
  };
}
