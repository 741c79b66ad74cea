import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { plainTitle } from '../../lib/document.ts';

/**
 * After another page has come, the keyboard goes on there, and screen readers are given its title, as a browser does by itself.
 * Stands after the page, whose effects name the tab.
 */
export function PageChange() {
  const { pathname, hash } = useLocation();
  const [title, setTitle] = useState('');
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    setTitle(plainTitle());
    const page = document.getElementById('content');
    // A part that the address names has its own focus, and so may a field of the page.
    if (hash === '' && page && !page.contains(document.activeElement)) page.focus({ preventScroll: true });
  }, [pathname, hash]);
  return <VisuallyHidden role="status">{title}</VisuallyHidden>;
}

/** A page may still be loading its data when it is opened. */
const waitMsMax = 5000;

/** Leads eye and keyboard to the part of the page that the address names ("/#faq"), as soon as it is there. */
export function useHashTarget(): void {
  const { hash, key } = useLocation();
  useTarget(idOf(hash), key);
}

/** Leads eye and keyboard to a part of the page as soon as it is there, once for each `visit`; an empty `id` is no part. */
export function useTarget(id: string, visit: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link followed again leads there again, a turned phone does not
  useEffect(() => {
    if (!id || goTo(id)) return;
    const observer = new MutationObserver(() => {
      if (goTo(id)) observer.disconnect();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    const giveUp = setTimeout(() => observer.disconnect(), waitMsMax);
    return () => {
      observer.disconnect();
      clearTimeout(giveUp);
    };
  }, [visit]);
}

/** Empty for a hash that is no encoded text, like "#%". */
function idOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}

function goTo(id: string): boolean {
  const target = document.getElementById(id);
  if (!target) return false;
  // Sections take no focus by themselves; the next Tab goes on from here.
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.scrollIntoView({ block: 'start' });
  target.focus({ preventScroll: true });
  return true;
}
