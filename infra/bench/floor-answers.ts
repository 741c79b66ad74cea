export const json = { 'content-type': 'application/json' };

/** What a quote is asked for. */
export const quoteBody = JSON.stringify({ amount: '250', currency: 'eur' });

/** What the product answers to everybody. */
export interface FloorAnswers {
  readonly rate: string;
  readonly quote: string;
  readonly page: string;
}

/** What the product answers, for a floor that answers the same. */
export async function answersOf(url: string): Promise<FloorAnswers> {
  const rate = await fetch(`${url}/api/rate`);
  const quote = await fetch(`${url}/api/quote`, { method: 'POST', headers: json, body: quoteBody });
  const page = await fetch(`${url}/`, { headers: { 'accept-encoding': 'identity', accept: 'text/html' } });
  return { rate: await rate.text(), quote: await quote.text(), page: await page.text() };
}
