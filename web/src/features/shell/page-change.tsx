import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

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
    setTitle(document.title);
    const page = document.getElementById('content');
    // A part that the address names has its own focus, and so may a field of the page.
    if (hash === '' && page && !page.contains(document.activeElement)) page.focus({ preventScroll: true });
  }, [pathname, hash]);
  return <VisuallyHidden role="status">{title}</VisuallyHidden>;
}
