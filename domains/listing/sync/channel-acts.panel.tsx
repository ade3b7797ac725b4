import { useState, type ReactNode } from "react";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import type { Actions } from "../../../platform/console/parts/actions.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import {
  deleteChannel,
  enableChannel,
  rotateChannel,
  testChannel,
  disableChannel,
} from "./channel.contract.ts";
import { ChannelForm, DisableForm } from "./channel.form.tsx";

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
      {
        label: "删除",
        does: deleteChannel,
        danger: true,
        why: c.online
          ? `还有 ${c.online} 套房源在架，请先停用并下架`
          : c.state === "enabled"
            ? "请先停用渠道"
            : undefined,
        run: async () => {
          const done = await act(
            deleteChannel,
            { params: { id: c.id }, query: { version: c.version } },
            {
              done: "已删除",
              ask: { title: "删除渠道", body: `确定删除 ${c.name} 吗？同步日志一并删除。`, ok: "删除" },
            },
          );
          if (done !== undefined) set({ id: undefined });
        },
      },
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
