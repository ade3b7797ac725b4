import { beforeAll, expect, test } from "vitest";
