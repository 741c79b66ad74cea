import { createHash } from 'node:crypto';
import type { Rate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { addObservations } from './observation.repository.ts';
import { closeRateRun, insertRateRun } from './rate-run.repository.ts';

/*
 * Market prices of the dollar in Bolivia by day: figures of the central bank and of Binance P2P, collected by
 * github.com/mauforonda/dolares, for demonstration data. Credited where they are shown (rate-series.repository.ts).
 */

/** "YYYY-MM-DD". */
export const historyEnd = '2026-08-22';
const lastDay = Date.parse(historyEnd);

/** Prices received by sellers of USDT, in centavos, for a year up to the last day. */
const peerToPeer = `
  1320 1322 1321 1318 1298 1250 1234 1209 1205 1142 1115 1230 1252 1201 1205 1216 1229 1227 1238 1268 1263 1260 1265 1268 1271 1266
  1258 1250 1246 1254 1261 1254 1252 1253 1253 1253 1254 1255 1251 1252 1250 1245 1237 1236 1228 1250 1256 1258 1290 1284 1298 1287
  1289 1283 1286 1266 1287 1312 1277 1278 1275 1261 1254 1251 1250 1250 1219 1198 1180 1134 1135 1136 1140 1141 1112 1059 1061 1055
  1045 1012 1000 1008 1048 1055 1033 1042 1045 1004 1033 1037 1035 1034 1035 1044 1035 1030 1021 1015 1010 1011 994 969 971 964 946
  949 950 948 936 927 909 913 916 914 914 916 1100 999 969 960 962 953 942 944 950 948 955 958 957 957 961 966 954 961 964 964 961 964
  960 964 965 965 960 959 957 956 948 955 954 959 955 952 952 950 952 952 936 924 905 899 913 911 909 909 912 922 924 922 918 919 913
  910 911 917 912 911 908 901 910 908 904 906 907 905 901 901 901 901 900 903 903 903 912 915 920 934 944 950 944 926 925 927 928 938
  936 927 926 928 927 928 937 936 927 928 927 927 932 932 931 929 931 929 929 929 930 929 924 927 925 928 928 929 928 930 934 937 936
  945 947 948 946 949 960 965 971 974 971 982 1008 1010 980 986 984 978 990 991 996 1000 996 992 993 999 998 999 1003 1003 1000 1002
  1002 1004 1003 997 997 997 998 998 993 995 994 994 992 991 990 992 993 992 994 993 993 993 992 991 989 988 989 989 988 987 984 985
  995 991 993 993 989 988 987 990 989 987 989 992 998 994 996 998 996 999 1010 1029 1052 1058 1042 1046 1049 1060 1066 1067 1075 1071
  1076 1094 1128 1152 1168 1175 1137 1160 1160 1184 1188 1198 1174 1172 1169 1173 1162 1125 1109 1110 1115 1126 1148 1150 1146 1153
  1142 1142 1150 1155 1159 1156 1162 1157 1158
`;

/**
 * The official buying rate since the peg ended, in hundred-thousandths, up to the last day; "-" where the source has
 * none.
 */
const official = `
  973489 975534 975649 978167 979588 982922 - - 988711 996097 1010454 1023782 - - 1039837 1050293 1069786 1075349 1075000 1085042 - -
  1090266 1100408 1113000 1121003 1136574 - - 1153615 1179733 1188606 1215183 1213016 - - 1208393 1202151 1185733 - - - - 1177494
  1171246 1165871 1162028 1157640 - - 1155276 1151532 1151817 1151555 1150000
`;

/** A historical figure, at noon (UTC) of its day. */
interface HistoricRate {
  readonly source: 'bcb' | 'binanceP2p';
  readonly at: Date;
  readonly rate: Rate;
}

const read = (source: HistoricRate['source'], text: string, unit: bigint): HistoricRate[] => {
  const figures = text.trim().split(/\s+/);
  return figures.flatMap((figure, index) => {
    const at = new Date(lastDay - (figures.length - 1 - index) * dayMs + dayMs / 2);
    return figure === '-' ? [] : [{ source, at, rate: (BigInt(figure) * unit) as Rate }];
  });
};

/** All figures, oldest first per source. */
export const dollarHistory: readonly HistoricRate[] = [
  ...read('binanceP2p', peerToPeer, 10_000n),
  ...read('bcb', official, 10n),
];

/** SHA-256 of the figures, stored with them. */
export const dollarHistoryHash = createHash('sha256').update(`${peerToPeer}${official}`).digest('hex');

/** Stores the figures until `at` as the result of one run. Adds nothing while another run is open. */
export async function importDollarHistory(em: EntityManager, at: Date): Promise<void> {
  const runId = await insertRateRun(em, { trigger: 'scheduled', amountMinor: null, startedAt: at });
  if (runId === null || !(await closeRateRun(em, runId, { results: [], at }))) return;
  const known = dollarHistory.filter((figure) => figure.at < at);
  const collected = known.map(({ source, rate, at: observedAt }) => ({
    observation: { kind: 'reference', source, pair: 'USD/BOB', rate } as const,
    rawHash: dollarHistoryHash,
    observedAt,
  }));
  addObservations(em, runId, collected, []);
  await em.flush();
}
