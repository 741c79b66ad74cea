import { encode } from 'uqr';
import { endpoints } from '#core/contracts/http/endpoints';
import { reminderAddress, transferAddress } from '#core/contracts/page-addresses';
import { openPayment } from '../api-client.ts';
import { query } from '../ledger.ts';
import { approve } from '../paid-transfer.ts';
import { until } from '../until.ts';
import { senderWithTransfer } from './prepare.ts';
import { cardNumber, type Part, type Prepared, withBolivianos } from './waits.ts';

/** Where the money is, and the parts of the panel. */
const home: Part = {
  title: '2. Where the money is',
  take: async (product, journey) => {
    const page = await journey.knownPhone(product, await senderWithTransfer(product), '/dashboard');
    const field = (testid: string) => page.getByTestId(testid);
    const open = () => page.goto(`${product.url()}/dashboard`, { waitUntil: 'commit' });
    await journey.wait('The panel, opened again: the transfer under way', open, field('under-way-row'));
    await journey.wait('Its details', () => field('under-way-row').first().click(), field('transfer-detail'));
    await page.keyboard.press('Escape');
    const tabs = [
      ['Envíos', 'transfers', field('transfer-row')],
      ['Destinatarios', 'recipients', field('recipient-row')],
      ['Tasas', 'rates', field('rate-USD')],
      ['… the banks’ table on it', null, field('bank-row')],
      ['Cuenta', 'account', page.locator('[data-testid^=account-]')],
      ['Enviar', 'send', withBolivianos(field('breakdown-bs'))],
    ] as const;
    for (const [name, tab, sign] of tabs)
      await journey.wait(tab ? `“${name}”` : name, async () => tab && (await field(`tab-${tab}`).click()), sign);
  },
};

const news: Part = {
  title: '3. Notified of a change, on another page',
  take: async (product, journey) => {
    const sender = await senderWithTransfer(product);
    const page = await journey.knownPhone(product, sender, '/cuenta');
    await page.locator('[data-testid=live-status][data-state=connected]').waitFor({ state: 'attached' });
    const decide = () => approve(product.admin.client, sender.transferId);
    await journey.wait('From the admin’s decision to the news', decide, page.getByTestId('news-toast'));
    await journey.wait('The list of news', () => page.getByTestId('news-bell').click(), page.getByTestId('news-item'));
  },
};

const account: Part = {
  title: '4. The account',
  take: async (product, journey) => {
    const page = await journey.knownPhone(product, await senderWithTransfer(product), '/dashboard');
    const field = (testid: string) => page.getByTestId(testid);
    const open = () => page.goto(`${product.url()}/cuenta`, { waitUntil: 'commit' });
    await journey.wait('The page, for the first time', open, field('account-datos'));
    const session = () => field('account-sesiones').click();
    await journey.wait('Where one is signed in', session, field('session-current'));
    await journey.wait('The limits', () => field('account-limites').click(), field('limit-day'));
    await field('account-descarga').click();
    await field('download-exportData').waitFor();
    const download = async () => {
      const file = page.waitForEvent('download');
      await field('download-exportData').click();
      await file;
    };
    await journey.wait('Everything that is known of oneself, as a file', download, async () => undefined);
  },
};

const unpaid: Part = {
  title: '5. What was left unpaid',
  take: async (product, journey) => {
    const { client, recipientId, ...sender } = await senderWithTransfer(product);
    const { transferId } = await openPayment(client, { amount: '88.00', recipientId });
    const page = await journey.knownPhone(product, { client, ...sender }, '/dashboard/envios');
    const row = page.locator('[data-testid=transfer-row][data-status=awaiting_payment]');
    await journey.wait(
      'Gone on with: the card’s form',
      () => row.getByTestId('transfer-pay').click(),
      cardNumber(page),
    );
    await query(product.databaseUrl, 'update transfer set quote_expires_at = now() where id = $1', [transferId]);
    // The link of its news opens it, in whatever state.
    await page.goto(product.url() + transferAddress(transferId));
    const again = page.getByTestId('transfer-detail').getByTestId('transfer-repeat-now');
    await again.waitFor();
    await journey.wait(
      'Payment with a new quote after the rate expired: the card form',
      () => again.click(),
      cardNumber(page),
    );
  },
};

const more: Part = {
  title: '6. What others have not',
  take: async (product, journey) => {
    const { client, recipientId, ...sender } = await senderWithTransfer(product);
    const reminder = await reminderOf(product, { client, recipientId });
    const page = await journey.knownPhone(product, { client, ...sender }, '/dashboard');
    const field = (testid: string) => page.getByTestId(testid);
    const follow = () => page.goto(product.url() + reminder, { waitUntil: 'commit' });
    await journey.wait('From the reminder’s link to the card’s form', follow, cardNumber(page));
    await journey.wait('… and the warning of a cash advance', async () => undefined, field('pay-cash-advance'));
    await page.goto(`${product.url()}/dashboard`);
    const choose = () => field('send-recipient').selectOption(recipientId);
    await field('send-recipient').locator(`option[value="${recipientId}"]`).waitFor({ state: 'attached' });
    await journey.wait('How soon the last payments to the bank arrived', choose, field('measured-arrival'));
    await field('send-add').click();
    await field('qr-image').waitFor({ state: 'attached' });
    const read = () => field('qr-image').setInputFiles(qrImage('Banco: BNB\nNro. de cuenta: 1000-123456'));
    const filled = page.locator('[data-testid=recipient-bankAccount][value="1000-123456"]');
    await journey.wait('A recipient’s QR from a file', read, filled);
    await page.goto(`${product.url()}/dashboard/tasas`);
    const amount = field('comparison-amount');
    await field('bank-board-amount').waitFor();
    const shown = field('bank-board-amount').filter({ hasText: '340,00' });
    await journey.wait('What the banks would pay for another amount', () => amount.fill('340'), shown);
  },
};

export const panelParts: readonly Part[] = [home, news, account, unpaid, more];

/** The address in the e-mail of a reminder, the day of its plan having come. */
async function reminderOf(
  { databaseUrl }: Prepared,
  { client, recipientId }: Pick<Awaited<ReturnType<typeof senderWithTransfer>>, 'client' | 'recipientId'>,
): Promise<string> {
  const { id } = await client.call(endpoints.createRepeat, {
    body: { recipientId, amount: '150.00', currency: 'eur', every: 'month', day: 5 },
  });
  const due = `update repeat_plan set next_day = current_date - 1, next_at = now() - interval '1 hour' where id = $1`;
  await query(databaseUrl, due, [id]);
  return until('the reminder is there', async () => {
    const [reminder] = await query<{ id: string }>(databaseUrl, 'select id from repeat_reminder where plan_id = $1', [
      id,
    ]);
    return reminder && reminderAddress(reminder.id);
  });
}

/** A QR code as an uncompressed bitmap, as a bank's app saves it. */
function qrImage(text: string): { name: string; mimeType: string; buffer: Buffer } {
  const { data, size } = encode(text, { border: 4 });
  const scale = 8;
  const side = size * scale;
  const buffer = Buffer.alloc(54 + side * side * 4, 255);
  buffer.fill(0, 0, 54);
  buffer.write('BM');
  buffer.writeUInt32LE(buffer.length, 2);
  buffer.writeUInt32LE(54, 10);
  buffer.writeUInt32LE(40, 14);
  buffer.writeInt32LE(side, 18);
  // Rows from the top.
  buffer.writeInt32LE(-side, 22);
  buffer.writeUInt16LE(1, 26);
  buffer.writeUInt16LE(32, 28);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      if (data[Math.floor(y / scale)]?.[Math.floor(x / scale)])
        buffer.fill(0, 54 + (y * side + x) * 4, 57 + (y * side + x) * 4);
  return { name: 'qr.bmp', mimeType: 'image/bmp', buffer };
}
