package dev.sluice.test.spring;

import dev.sluice.RateLimited;

/** A bean with a limited method, for slices that import it. */
class Mailer {

    @RateLimited("mail")
    public String mail(String to) {
        return "mail to " + to;
    }
}
