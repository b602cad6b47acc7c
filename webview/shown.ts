/** How much of a long list the page shows before it leaves the rest to something better. */

/** Files of one turn; the diff editor shows all. */
export const filesShown = 100;

/** Sessions in the chooser: an option each is dear, and nobody scrolls through them. */
export const sessionsShown = 100;
