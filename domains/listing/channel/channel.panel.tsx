import { type ReactNode, useState } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { IconButton } from "../../../platform/console/parts/button.tsx";
import { NONE } from "../../../platform/console/parts/kinds.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { copy, toast } from "../../../platform/console/parts/toast.ts";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { ROOM_KINDS } from "../room/words.rules.ts";
import {
  channel,
  deleteChannel,
  disableChannel,
  enableChannel,
  rotateChannel,
  testChannel,
} from "./channel.contract.ts";
import { ChannelForm, DisableForm } from "./channel.form.tsx";
import { ADAPTERS, CHANNEL_STATES, PHONES, SETTINGS, SHOW_PRICES } from "./adapter.rules.ts";
import "./channel.css";

type Channel = {
  id: number;
  name: string;
  adapter: "feed" | "httpPush";
  state: "enabled" | "disabled";
  online: number;
  version: number;
};

/** What can be done with a channel, the same on its card and on its own page; and the form that is open for it. */
export function useChannelActs(): [(channel: Channel) => Actions, ReactNode] {
  const act = useAct();
  const [, set] = useAddress();
  const [open, setOpen] = useState<{ what: "edit" | "disable"; channel: Channel }>();
  const close = () => setOpen(undefined);
  const actsOf = (c: Channel): Actions => {
    const sent = { params: { id: c.id }, body: { version: c.version } };
    return [
      { label: "编辑", need: "67.edit", run: () => setOpen({ what: "edit", channel: c }) },
      {
        label: "测试连接",
        does: testChannel,
        run: async () => {
          const tried = await act(testChannel, { params: { id: c.id } });
          if (tried)
            toast(
              tried.ok ? `连接正常，${tried.millis} 毫秒` : `连接失败：${tried.answer}`,
              tried.ok ? "success" : "error",
            );
        },
      },
      c.state === "enabled"
        ? { label: "停用", does: disableChannel, run: () => setOpen({ what: "disable", channel: c }) }
        : { label: "启用", does: enableChannel, run: () => act(enableChannel, sent, { done: "已启用" }) },
      {
        label: "轮换密钥",
        does: rotateChannel,
        run: () =>
          act(rotateChannel, sent, {
            done: "密钥已更换",
            ask: {
              title: `轮换密钥 ${c.name}`,
              body:
                c.adapter === "feed"
                  ? "原来的数据源地址立即失效，请把新地址交给合作方。"
                  : "原来的签名密钥立即失效，请把新密钥交给合作方。",
              ok: "轮换密钥",
            },
          }),
      },
      deleteAction(deleteChannel, c, {
        title: "删除渠道",
        body: `确定删除 ${c.name} 吗？同步日志一并删除。`,
        ok: "删除",
        why: c.online
          ? `还有 ${c.online} 套房源在架，请先停用并下架`
          : c.state === "enabled"
            ? "请先停用渠道"
            : undefined,
        gone: () => set({ id: undefined }),
      }),
    ];
  };
  const layer = open && (
    <>
      {open.what === "edit" && <ChannelForm id={open.channel.id} onClose={close} />}
      {open.what === "disable" && <DisableForm channel={open.channel} onClose={close} />}
    </>
  );
  return [actsOf, layer];
}

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
        ]}
        log="channel"
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
