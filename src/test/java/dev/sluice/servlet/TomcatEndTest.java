package dev.sluice.servlet;

class TomcatEndTest extends EndContract {

    TomcatEndTest() {
        super(TomcatServer::start);
    }
}
