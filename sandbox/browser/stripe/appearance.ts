/** The Appearance API as CSS: variables become custom properties and rules become rules of the form's shadow root. */
import type { Appearance } from '@stripe/stripe-js';

type Variables = Record<string, string>;

const THEMES: Record<'stripe' | 'night' | 'flat', Variables> = {
  stripe: {
    fontFamily: 'system-ui, sans-serif',
    fontSizeBase: '16px',
    fontSizeSm: '0.93em',
    spacingUnit: '4px',
    borderRadius: '6px',
    colorPrimary: '#0570de',
    colorBackground: '#ffffff',
    colorText: '#30313d',
    colorTextSecondary: '#5f6273',
    colorTextPlaceholder: '#6b6e80',
    colorDanger: '#c0123c',
    inputColorBorder: '#c9cbd3',
    fontWeightMedium: '500',
  },
  night: {
    colorPrimary: '#5cb3ff',
    colorBackground: '#1b2233',
    colorText: '#f3f4f8',
    colorTextSecondary: '#b6bccb',
    colorTextPlaceholder: '#98a0b3',
    colorDanger: '#ff8b98',
    inputColorBorder: '#485069',
  },
  flat: { colorBackground: '#f1f2f5', inputColorBorder: 'transparent' },
};

/** Selectors of `appearance.rules` must start with one of Stripe's public class names; others are ignored. */
const RULE_SELECTOR = /^\.(Input|Label|Error|Block|Field|Text)\b[\w\-.: ]*$/;

function kebab(property: string): string {
  return property.startsWith('--') ? property : property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * A style sheet for one form. Values are set through the CSS object model, so none can break out of its declaration.
 */
export function appearanceSheet(appearance: Appearance = {}): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  const host = sheet.cssRules[sheet.insertRule(':host {}')] as CSSStyleRule;
  const given: Variables = {};
  for (const [name, value] of Object.entries(appearance.variables ?? {})) if (value) given[name] = value;
  const variables = { ...THEMES.stripe, ...THEMES[appearance.theme ?? 'stripe'], ...given };
  for (const [name, value] of Object.entries(variables)) host.style.setProperty(`--${name}`, value);

  for (const [selector, declarations] of Object.entries(appearance.rules ?? {})) {
    if (!RULE_SELECTOR.test(selector)) continue;
    const rule = sheet.cssRules[sheet.insertRule(`${selector} {}`, sheet.cssRules.length)] as CSSStyleRule;
    for (const [property, value] of Object.entries(declarations)) rule.style.setProperty(kebab(property), value);
  }
  return sheet;
}

/** A constructed style sheet from text: allowed under any Content-Security-Policy, unlike a style element. */
export function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
