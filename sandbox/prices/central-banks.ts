/** The central banks: Bolivia's HTML pages and the ECB's daily XML, in their own formats. */
import { chain, formatMinor, type Rate, share } from './figures.ts';
import { dayOf, marketAt } from './market.ts';
import { figure, page, type Site, type SiteRequest, withComma } from './site.ts';

const DAY_MS = 86_400_000;

function spanishDate(millis: number, weekday = false): string {
  const parts = new Intl.DateTimeFormat('es', {
    ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'America/La_Paz' },
    ...(weekday ? ({ weekday: 'long' } as const) : {}),
  });
  return parts.format(millis);
}

function isoDate(millis: number): string {
  return new Date(millis).toISOString().slice(0, 10);
}

function html(title: string, body: string) {
  return page(`<!DOCTYPE html>
<html lang="es"><head><meta charset="utf-8"><title>${title}</title>
<style>.bcb-kpi2-card.is-tc-oficial{color:#fff}.bcb-tco-num{font-size:34px}</style></head>
<body>
${body}
</body></html>`);
}

function home({ market }: SiteRequest) {
  const today = dayOf(market.at);
  const stamp = spanishDate(today, true)
    .toUpperCase()
    .replace(/ DE (\d{4})$/, ', $1')
    .replace(', ', ' ');
  return html(
    'Banco Central de Bolivia',
    `<section class="bcb-kpi2" aria-label="Indicadores clave - BCB"><div class="bcb-kpi2-row">
  <article class="bcb-kpi2-card is-tc-oficial has-range-label">
    <div class="bcb-kpi2-hd"><p class="bcb-kpi2-name">Tipo de cambio oficial</p>
      <div class="bcb-kpi2-sub">Bolivianos por dólar estadounidense</div>
      <div class="bcb-kpi2-asof"><time datetime="${isoDate(today)}">${stamp}</time></div></div>
    <div class="bcb-kpi2-body"><div class="bcb-tco-value"><div class="bcb-tco-amount">
      <span class="bcb-tco-cur">Bs</span> <span class="bcb-tco-num">${withComma(market.officialBuy)}</span>
    </div></div></div>
  </article>
  <article class="bcb-kpi2-card">
    <div class="bcb-kpi2-hd"><p class="bcb-kpi2-name">Tasa de referencia (TRe) %</p></div>
    <div class="bcb-kpi2-body"><div class="bcb-row"><div class="bcb-lbl">MN</div><div class="bcb-val">3,02</div></div></div>
  </article>
</div></section>`,
  );
}

/** Banks and the distance of their buying rates from the official one, in basis points. */
const BANKS = [
  { name: 'BANCO UNIÓN', drift: -40 },
  { name: 'BANCO MERCANTIL SANTA CRUZ', drift: 25 },
  { name: 'BANCO NACIONAL DE BOLIVIA', drift: 10 },
  { name: 'BANCO BISA', drift: 35 },
  { name: 'BANCO GANADERO', drift: -15 },
];

interface Purchase {
  rate: Rate;
  bank: number;
  /** Whole dollars. */
  dollars: number;
  count: number;
}

/** Each bank's purchases of the day, at two rates near its own. */
function purchases(official: Rate): Purchase[] {
  return BANKS.flatMap(({ drift }, bank) =>
    [12, -12].map((more, index) => ({
      rate: share(official, 10_000 + drift + more, 2),
      bank,
      dollars: 1_250_000 - bank * 130_000 - index * 410_000,
      count: 180 - bank * 17 - index * 40,
    })),
  );
}

function dots(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, '.');
}

function cells(bought: Purchase[]): string {
  const [dollars, count] = [sum(bought, 'dollars'), sum(bought, 'count')];
  return count ? `<td>${dots(dollars)}</td><td>${dots(count)}</td>` : '<td>-</td><td>-</td>';
}

function sum(bought: Purchase[], field: 'dollars' | 'count'): number {
  return bought.reduce((total, purchase) => total + purchase[field], 0);
}

function row(label: string, bought: Purchase[]): string {
  const perBank = BANKS.map((_, bank) => cells(bought.filter((purchase) => purchase.bank === bank)));
  return `<tr><th scope="row">${label}</th>${perBank.join('')}${cells(bought)}</tr>`;
}

/** Weighted mean of bolivianos per dollar. */
function weighted(bought: Purchase[]): string {
  const dollars = BigInt(sum(bought, 'dollars'));
  if (dollars === 0n) return '-';
  const bolivianos = bought.reduce((total, { rate, dollars: part }) => total + rate * BigInt(part), 0n);
  return formatMinor(bolivianos / dollars / 10_000n).replace('.', ',');
}

function bankTable(official: Rate): string {
  const bought = purchases(official);
  const rates = [...new Set(bought.map(({ rate }) => rate))].sort((a, b) => Number(a - b));
  const body = rates.map((rate) =>
    row(
      withComma(rate),
      bought.filter((purchase) => purchase.rate === rate),
    ),
  );
  const titles = [...BANKS.map(({ name }) => name), 'TOTAL BANCOS'];
  const tco = titles.map((_, bank) => {
    const own = weighted(bought.filter((purchase) => purchase.bank === bank));
    return `<td colspan="2">${bank === BANKS.length ? withComma(official) : own}</td>`;
  });
  return `<table class="matrix">
<thead><tr><th rowspan="2">Tipo de cambio</th>${titles.map((name) => `<th colspan="2">${name}</th>`).join('')}</tr>
<tr>${titles.map(() => '<th>Monto (USD)</th><th>N° de compras</th>').join('')}</tr></thead>
<tbody>
${body.join('\n')}
${row('TOTAL', bought)}
<tr><th scope="row">TCO</th>${tco.join('')}</tr>
</tbody></table>`;
}

/** The purchases of a day by bank; the official rate computed from them is in force the next day. */
function detail({ query, market }: SiteRequest) {
  const day = String((query as Record<string, unknown>).fecha ?? '');
  const noon = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T16:00:00Z`) : Number.NaN;
  const today = dayOf(market.at);
  const past = Number.isFinite(noon) && dayOf(noon) < today - DAY_MS;
  const cut = past ? dayOf(noon) : today - DAY_MS;
  const official = past ? marketAt(cut + DAY_MS).officialBuy : market.officialBuy;
  return html(
    'Tipo de cambio oficial: detalle',
    `<div class="vrd-date-info"><span>Fecha de corte: ${spanishDate(cut)}</span> <span>Vigencia: ${spanishDate(cut + DAY_MS)}</span></div>
${bankTable(official)}`,
  );
}

function listRow([country, name, code]: [string, string, string], rate: Rate, perDollar: Rate): string {
  return `<tr><td>${country}</td><td>${name}</td><td class="centro">${code}</td><td class="numero">${withComma(rate, 5)}</td><td class="numero">${withComma(perDollar, 5)}</td></tr>`;
}

function list({ market }: SiteRequest) {
  const { officialBuy, officialSell, euroFixing } = market;
  const one = 1_000_000n;
  const euro = share(chain(officialBuy, euroFixing), 10_000, 5);
  return html(
    'Cotizaciones',
    `<p class="fecha">Cotizaciones para el ${spanishDate(dayOf(market.at), true)}</p>
<table class="tabla-cotizacion">
<thead><tr><th>PAÍS</th><th>UNIDAD MONETARIA</th><th>MONEDA</th><th>TC Bs por unidad de ME</th><th>TC ME por unidad de USD</th></tr></thead>
<tbody>
${listRow(['ESTADOS UNIDOS', 'DÓLAR COMPRA', 'USD.COMPRA'], officialBuy, one)}
${listRow(['ESTADOS UNIDOS', 'DÓLAR VENTA', 'USD.VENTA'], officialSell, one)}
${listRow(['UNIÓN EUROPEA', 'EURO', 'EUR'], euro, euroFixing)}
</tbody></table>`,
  );
}

export const bcb: Site = {
  routes: [
    { method: 'GET', path: /^\/$/, respond: home },
    { method: 'GET', path: /^\/(bcb_tco_publico|tco_reporte)_detalle_historico\.php$/, respond: detail },
  ],
  changedShape: [/class="/g, 'data-part="'],
};

export const bcbList: Site = {
  routes: [{ method: 'GET', path: /^\/librerias\/indicadores\/otras\/ultimo\.php$/, respond: list }],
  changedShape: [/class="/g, 'data-part="'],
};

function dailyRates({ market }: SiteRequest) {
  const euro = figure(market.euroFixing).toFixed(4);
  return page(
    `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='${isoDate(market.at)}'>
			<Cube currency='USD' rate='${euro}'/>
			<Cube currency='JPY' rate='179.41'/>
			<Cube currency='GBP' rate='0.8733'/>
			<Cube currency='BRL' rate='6.2510'/>
		</Cube>
	</Cube>
</gesmes:Envelope>`,
    'text/xml; charset=utf-8',
  );
}

export const ecb: Site = {
  routes: [{ method: 'GET', path: /^\/stats\/eurofxref\/eurofxref-daily\.xml$/, respond: dailyRates }],
  changedShape: [/ rate=/g, ' value='],
};
