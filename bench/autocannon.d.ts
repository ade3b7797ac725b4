/** The part of autocannon 9 that the measures use; the package ships no types. */
declare module "autocannon" {
  type Result = {
    requests: { average: number; total: number };
    latency: { average: number; p97_5: number; p99: number };
    non2xx: number;
    errors: number;
  };
  type Run = Promise<Result> & {
    on(
      event: "response",
      listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void,
    ): void;
  };
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    headers?: Record<string, string>;
  }): Run;
}
