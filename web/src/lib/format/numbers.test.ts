import { expect, it } from 'vitest';
import { plain } from '../../testing/plain.ts';
import { showLanguage } from '../language.ts';
import { formatAmount, formatCryptoAmount, formatRate, formatRateLine } from './money.ts';
import { formatCount, formatDecimal, formatLimit, percentText } from './numbers.ts';

it.each([
  ['3.4', '3,4 %', '+3,4 %'],
  ['-1.2', '−1,2 %', '−1,2 %'],
  ['0.0', '0,0 %', '0,0 %'],
  ['-0.0', '0,0 %', '0,0 %'],
])('the percentage %s is written %s, and %s where its sign counts', (percent, unsigned, signed) => {
  expect(plain([percentText(percent), percentText(percent, 'signed')])).toEqual([unsigned, signed]);
});

it('figures are written as the reader of the page writes them', () => {
  const written = () => [
    formatDecimal('11.55'),
    percentText('3.4', 'signed'),
    formatCount(345_000),
    formatLimit('3000.00'),
    formatLimit('10.50'),
    formatAmount('1234.50', 'EUR'),
  ];
  expect(plain(written())).toEqual(['11,55', '+3,4 %', '345.000', '3.000', '10,50', '1.234,50 EUR']);
  showLanguage('en');
  expect(plain(written())).toEqual(['11.55', '+3.4%', '345,000', '3,000', '10.50', 'EUR 1,234.50']);
  expect(plain([formatRate('13.20'), formatRateLine('13.20', 'USD'), formatCryptoAmount('98.52', 'usdc')])).toEqual([
    '13.20 BOB',
    '1 USD = 13.20 BOB',
    '98.52 USDC',
  ]);
});
