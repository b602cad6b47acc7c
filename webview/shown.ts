/** How much of a long list the page shows before it leaves the rest to something better. */

/** Sessions in the chooser: an option each is dear, and nobody scrolls through them. */
export const sessionsShown = 100;
