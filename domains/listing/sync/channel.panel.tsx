import { Detail } from "../../../platform/console/detail/detail.tsx";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { History } from "../../../platform/console/detail/history.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { copy } from "../../../platform/console/parts/toast.ts";
import { ROOM_KINDS } from "../room/words.rules.ts";
import { SETTINGS } from "./adapter.rules.ts";
import { useChannelActs } from "./channel-acts.panel.tsx";
import { channel } from "./channel.contract.ts";
import { ADAPTERS, CHANNEL_STATES, PHONES, SHOW_PRICES } from "./words.rules.ts";
import "./sync.css";

const Copied = ({ text, label }: { text: string | null; label: string }) =>
  text === null ? (
    NONE
  ) : (
    <span className="row sync__url">
      <code>{text}</code>
      <IconButton icon="copy" size={14} small label={`复制${label}`} run={() => copy(text)} />
    </span>
  );

/** A channel on its own: where it is fetched or what signs it, its rule, and what happened to it. */
export function ChannelDrawer({ id }: { id: number }) {
  const [actsOf, layer] = useChannelActs();
  return (
    <>
      <Detail
        call={channel}
        sent={{ params: { id } }}
        width={800}
        title={(c) => c.name}
        tags={(c) => <WordTag words={CHANNEL_STATES} code={c.state} />}
        facts={[
          { title: "对接方式", show: (c) => ADAPTERS[c.adapter][0] },
          { title: "在架房源", show: (c) => `${c.online.toLocaleString("en-US")} 套` },
          { title: "门店", show: (c) => `${c.villageIds.length} 个` },
          { title: "类型", show: (c) => c.kinds.map((k) => ROOM_KINDS[k][0]).join("、") || "全部" },
          { title: "产品", show: (c) => (c.productIds.length ? `${c.productIds.length} 个` : "全部") },
          { title: "提前发布", show: (c) => (c.leadDays ? `到期前 ${c.leadDays} 天` : "空置后") },
          { title: "最少图片", show: (c) => `${c.minPictures} 张` },
          { title: "价格", show: (c) => SHOW_PRICES[c.showPrice][0] },
          { title: "联系电话", show: (c) => PHONES[c.phone][0] },
        ]}
        actions={actsOf}
        tabs={[
          {
            key: "access",
            title: "对接",
            view: (c) => (
              <dl className="facts sync__access">
                {c.adapter === "feed" ? (
                  <>
                    <dt>JSON 地址</dt>
                    <dd>
                      <Copied text={c.jsonUrl} label=" JSON 地址" />
                    </dd>
                    <dt>XML 地址</dt>
                    <dd>
                      <Copied text={c.xmlUrl} label=" XML 地址" />
                    </dd>
                  </>
                ) : (
                  <>
                    <dt>签名密钥</dt>
                    <dd>
                      <Copied text={c.signingKey} label="签名密钥" />
                    </dd>
                  </>
                )}
                {SETTINGS[c.adapter].map((s) => (
                  <Setting key={s.key} title={s.title} value={c.config?.[s.key]} />
                ))}
              </dl>
            ),
          },
          { key: "log", title: "日志", view: () => <History kind="channel" id={id} /> },
        ]}
      />
      {layer}
    </>
  );
}

const Setting = ({ title, value }: { title: string; value: string | number | boolean | undefined }) => (
  <>
    <dt>{title}</dt>
    <dd>{value === undefined ? NONE : typeof value === "boolean" ? (value ? "是" : "否") : value}</dd>
  </>
);
