import { createPortal } from "react-dom";
import { daysBetween, type Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { vacantDays, type Tile } from "./board.rules.ts";
import { CHARACTER, CONDITIONS, FLAGS, OCCUPANCIES, flagsOf } from "./status.rules.ts";

const WIDTH = 276;
const ABOUT_HIGH = 190;

/** The key facts of a tile beside the pointer, without opening it. */
export function HoverCard({ tile, at, day }: { tile: Tile; at: DOMRect; day: Day }) {
  const left = at.right + 8 + WIDTH > innerWidth ? Math.max(8, at.left - 8 - WIDTH) : at.right + 8;
  const top = Math.max(8, Math.min(at.top, innerHeight - ABOUT_HIGH));
  const flags = flagsOf(tile.flags);
  const empty = vacantDays(tile, day);
  const over = tile.until ? daysBetween(tile.until, day) : 0;
  const facts: [string, React.ReactNode][] = [
    ["户型", [tile.layout, `${tile.area}㎡`].filter(Boolean).join(" ")],
    ...(tile.partyName
      ? ([
          ["租客", tile.partyName],
          ["租期", `${tile.since ?? ""} ~ ${tile.until ?? ""}`],
          ["月租金", tile.rentFen === null ? "—" : yuan(tile.rentFen)],
        ] as [string, string][])
      : ([["标价", tile.listPriceFen === null ? "未定价" : yuan(tile.listPriceFen)]] as [string, string][])),
    ...(empty === null ? [] : ([["空置", `${empty} 天，自 ${tile.vacantSince}`]] as [string, string][])),
    ...(tile.occupancy === "holdingOver"
      ? ([
          [
            "超期",
            <span key="o" className="neg">
              {over} 天未退
            </span>,
          ],
        ] as [string, React.ReactNode][])
      : []),
    ...(tile.arrearsFen
      ? ([
          [
            "欠费",
            <span key="a" className="neg">
              {yuan(tile.arrearsFen)}
            </span>,
          ],
        ] as [string, React.ReactNode][])
      : []),
    ...(tile.condition === "rentable"
      ? []
      : ([
          ["状态", `${CONDITIONS[tile.condition][0]}${tile.blockedUntil ? `，至 ${tile.blockedUntil}` : ""}`],
        ] as [string, string][])),
    [
      "下一租约",
      tile.nextFrom ? (
        `${tile.nextFrom} 起${tile.nextKind === "lease" ? "已签" : "已订"}`
      ) : (
        <span key="n" className="dim">
          无
        </span>
      ),
    ],
  ];
  return createPortal(
    <div className="rb__hover" role="tooltip" style={{ left, top, width: WIDTH }}>
      <header>
        <i className={`rb__sw t-${tile.occupancy}`}>{CHARACTER[tile.occupancy]}</i>
        <b>{tile.name}</b>
        <span className="sub">{OCCUPANCIES[tile.occupancy][0]}</span>
        <span className="grow" />
        {flags.map((flag) => (
          <i key={flag} className={`rb__sw fl s-${FLAGS[flag][1]}`}>
            {CHARACTER[flag]}
          </i>
        ))}
      </header>
      <dl>
        {facts.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>,
    document.body,
  );
}
