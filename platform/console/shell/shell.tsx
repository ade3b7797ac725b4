import { QueryCache, QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { ConfigProvider } from "antd";
import zhCN from "antd/es/locale/zh_CN.js";
import "dayjs/locale/zh-cn.js";
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { inkOn } from "../../kernel/texts/colour.ts";
import { antdTheme } from "../parts/antd.ts";
import { arranged } from "../screens/arranged.ts";
import { useBrand } from "../brand/brand.ts";
import { Button } from "../parts/button.tsx";
import { Questions } from "../parts/dialog.tsx";
import { openDisplay, useDisplay } from "../brand/display.ts";
import { Failure, sentence } from "../calls/failure.ts";
import { Icon } from "../parts/icons.tsx";
import { Frame, Slot } from "./frame.tsx";
import { askLeave } from "./log-out.ts";
import { ME } from "../session/operator.ts";
import { permitsOf, setPermits } from "../session/permits.ts";
import type { House } from "../screens/screen.ts";
import type { Operator } from "../session/session.ts";
import { setHouse } from "../screens/slots.ts";
import { kept, whenKept } from "../session/storage.ts";
import { useDark } from "../brand/theme.ts";
import "antd/dist/antd.css";
import "./shell.css";
import "./side.css";
import "../parts/layer.css";
import "../parts/kit.css";
import "../filter/filters.css";
import "../list/list.css";
import "../list/sheet.css";
import "../detail/record.css";
import "../charts/figures.css";
import "../form/form.css";

// antd is typed as CommonJS, where the default export is one level deeper
const locale = "default" in zhCN ? zhCN.default : zhCN;

/** The server's content policy lets in only styles that carry the page's nonce; the component library writes its own. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";

/** One try more when nobody answered; several, over seven seconds, while the server's database comes back. A refusal is an answer. */
const TRIES: Record<number, number> = { 0: 1, 503: 3 };

const client = new QueryClient({
  queryCache: new QueryCache({
    // refused for that reason, who one is is asked again, and the shell shows what is to be done first
    onError: (error) => {
      if (error instanceof Failure && (error.code === "mustChangePassword" || error.code === "mustEnrol"))
        void client.invalidateQueries({ queryKey: ME.queryKey });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => "status" in error && count < (TRIES[error.status as number] ?? 0),
    },
  },
});

/** Everything behind the login: theme, data, operator, frame. */
export default function Shell({ house }: { house: House }) {
  const dark = useDark();
  const brand = useBrand();
  const colour = useDisplay().colour ?? brand.themeColor;
  const theme = useMemo(() => antdTheme(dark, colour, inkOn(colour)), [dark, colour]);
  return (
    <ConfigProvider
      theme={theme}
      locale={locale}
      csp={{ nonce }}
      button={{ autoInsertSpace: false }}
      select={{ suffixIcon: <Icon name="down" size={12} /> }}
      datePicker={{ suffixIcon: <Icon name="calendar" size={14} /> }}
    >
      <QueryClientProvider client={client}>
        <Known house={house} />
        <Questions />
      </QueryClientProvider>
    </ConfigProvider>
  );
}

/**
 * All windows of a browser share one log-in. Once somebody else has come in by another window, nothing that was read for the one
 * before stays in this.
 */
function useOneOperator(now: number | undefined, askAnew: () => unknown): void {
  const first = useRef<number>(undefined);
  useEffect(() => {
    first.current ??= now;
    if (now && now !== first.current) location.reload();
  }, [now]);
  useEffect(() => whenKept("token", askAnew), [askAnew]);
}

function Known({ house }: { house: House }) {
  // the last answer lets the frame stand at once; the fresh one replaces it
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...ME,
    placeholderData: () => kept<Operator>("userInfo"),
  });
  useOneOperator(isPlaceholderData ? undefined : data?.operatorId, refetch);
  const permits = useMemo(() => data && permitsOf(data), [data]);
  const standing = useMemo(() => arranged(house, data?.menu ?? []), [house, data?.menu]);
  setHouse(standing);
  const known = data?.operatorId;
  useLayoutEffect(() => {
    if (known) openDisplay();
  }, [known]);
  if (!data || !permits) {
    if (!error) return <div className="blank blank--shell" />;
    return (
      <section className="lost" role="alert">
        <h1>{sentence(error)}</h1>
        <Button look="main" run={() => refetch()}>
          重试
        </Button>
        <Button look="text" run={askLeave}>
          退出登录
        </Button>
      </section>
    );
  }
  setPermits(permits);
  // the server answers nothing else before: no page is opened that would only be refused
  if (data.mustChangePassword || data.mustEnrol)
    return (
      <div className="blank blank--shell">
        <Slot name="shell.first" />
      </div>
    );
  return <Frame house={standing} operator={data} />;
}
